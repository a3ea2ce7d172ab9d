/** A QR code as one path, dark on light in both themes: cameras want it so. */
import { useMemo } from "preact/hooks";
import { encodeQR } from "qr";

const QUIET = 4;

export function Qr({ text, label }: { text: string; label: string }) {
    const { path, size } = useMemo(() => {
        const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET });
        const cells = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
        return { path: cells.join(""), size: rows.length };
    }, [text]);
    return (
        <svg class="qr" viewBox={`0 0 ${size} ${size}`} width="196" height="196" role="img" aria-label={label} shape-rendering="crispEdges">
            <rect width={size} height={size} fill="#fff" />
            <path d={path} fill="#000" />
        </svg>
    );
}
