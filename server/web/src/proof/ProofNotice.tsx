/** Says, where it is grave, that what the server shows does not go on from what this browser holds. */
import { warnings } from "@/proof/keep";
import { t } from "@/words";

export default function ProofNotice({ match }: { match: string }) {
    const mine = warnings.value.filter((one) => one.match === match);
    if (mine.length === 0) return null;
    return (
        <div class="notice wrong" role="alert">
            {mine.map((one) => (
                <p key={one.kind}>{t(`proof.warning.${one.kind}`)}</p>
            ))}
        </div>
    );
}
