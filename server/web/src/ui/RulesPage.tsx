export default function RulesPage(_props: { rule?: string }) {
    return null;
}
