export default function MatchPage(_props: { id: string; query: URLSearchParams }) {
    return null;
}
