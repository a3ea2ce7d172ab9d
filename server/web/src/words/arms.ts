/** The arm printed on each block, by id; public knowledge (W1.6). */
const arms: Record<string, string> = {
    FR: "iiiiiiiccccccfffhh",
    AD: "iiiiiiccccfffh",
    PR: "iiiiiiiiccccfffh",
};

const names: Record<string, string> = {
    i: "infantry", c: "cavalry", f: "foot_artillery", h: "horse_artillery",
};

/** infantry, cavalry, foot_artillery, horse_artillery; "" of an id that is none. */
export function armOf(unit: string): string {
    const letter = arms[unit.slice(0, 2)]?.[unit.charCodeAt(3) - 65] ?? "";
    return names[letter] ?? "";
}
