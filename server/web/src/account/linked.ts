/** Tokens that came by mail stand behind the #, which goes into no log; once read they leave the address. */
export function takeToken(): string | null {
    const token = new URLSearchParams(location.hash.slice(1)).get("token");
    if (token !== null) history.replaceState(null, "", location.pathname + location.search);
    return token;
}
