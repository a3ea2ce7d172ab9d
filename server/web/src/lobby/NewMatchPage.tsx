export default function NewMatchPage(_props: { query: URLSearchParams }) {
    return null;
}
