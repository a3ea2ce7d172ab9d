/** What the signs of the hex map mean. */
import type { JSX } from "preact";
import { hexsideName, t, terrainName } from "@/words";

function Row(props: { text: string; children: JSX.Element | JSX.Element[] }): JSX.Element {
    return (
        <li>
            <svg width="34" height="18" viewBox="0 0 34 18" aria-hidden="true" class="hex-legend-sign">
                {props.children}
            </svg>
            {props.text}
        </li>
    );
}

const houses = "M9,4h6v4h-6ZM18,3h5v4h-5ZM13,10h5v4h-5ZM21,10h5v4h-5Z";

export function HexLegend(): JSX.Element {
    return (
        <div class="board-legend hex-legend">
            <h2 class="board-unseen">{t("map.legend")}</h2>
            <ul>
                <Row text={terrainName("height")}>
                    <path class="hex-legend-high" d="M4,9Q4,3 11,3H23Q30,3 30,9T23,15H11Q4,15 4,9Z" />
                    <path class="hex-legend-ink" d="M8,14.5V17M12,15V17.6M16,15V17.6M20,15V17.6M24,14.5V17.2M28,12.5L30,15M5,12.5L3.4,14.6" />
                </Row>
                <Row text={terrainName("forest")}>
                    <path class="hex-legend-tree" d="M7,10Q4,3 10,4Q16,3 13,10ZM10,10V14M20,12Q17,5 23,6Q29,5 26,12ZM23,12V16" />
                </Row>
                <Row text={terrainName("marsh")}>
                    <path class="hex-legend-reed" d="M5,8H15M8,8L7,4M10,8V3M12,8L13,4M18,15H29M21,15L20,11M23.5,15V10M26,15L27,11" />
                </Row>
                <Row text={terrainName("village")}>
                    <path class="hex-legend-house" d={houses} />
                </Row>
                <Row text={terrainName("fortified")}>
                    <path class="hex-legend-house" d={houses} transform="translate(5.4 3) scale(.66)" />
                    <path class="hex-legend-works" d="M10,1H24L30,9L24,17H10L4,9Z" />
                </Row>
                <Row text={terrainName("pond")}>
                    <rect class="hex-legend-ice" x="3" y="2" width="28" height="14" rx="2" />
                    <path class="hex-legend-crack" d="M9,12L13,8L16,11L21,6L24,8" />
                </Row>
                <Row text={hexsideName("escarpment")}>
                    <path class="hex-legend-cliff" d="M2,5H32M5,5V11M9,5V11M13,5V11M17,5V11M21,5V11M25,5V11M29,5V11" />
                </Row>
                <Row text={hexsideName("stream")}>
                    <path class="hex-legend-bank" d="M2,11C9,3 16,16 32,7" />
                    <path class="hex-legend-water" d="M2,11C9,3 16,16 32,7" />
                </Row>
                <Row text={terrainName("highway")}>
                    <path class="legend-major" d="M1,9H33" />
                    <path class="legend-major-fill" d="M1,9H33" />
                </Row>
                <Row text={terrainName("road")}>
                    <path class="legend-minor" d="M1,9H33" />
                </Row>
            </ul>
        </div>
    );
}
