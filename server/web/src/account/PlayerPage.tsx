export default function PlayerPage(_props: { name: string }) {
    return null;
}
