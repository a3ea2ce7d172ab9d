/** JSON Merge Patch (RFC 7396), without changing what it is given: unchanged parts are shared. */
export function mergePatch(target: unknown, patch: unknown): unknown {
    if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
    const base = target !== null && typeof target === "object" && !Array.isArray(target) ? target : {};
    const result: Record<string, unknown> = { ...(base as Record<string, unknown>) };
    for (const [name, value] of Object.entries(patch)) {
        if (value === null) delete result[name];
        else result[name] = mergePatch(result[name], value);
    }
    return result;
}
