export default function SignInPage(_props: { query: URLSearchParams }) {
    return null;
}
