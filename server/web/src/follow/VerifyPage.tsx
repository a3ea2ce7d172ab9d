export default function VerifyPage(_props: { id?: string }) {
    return null;
}
