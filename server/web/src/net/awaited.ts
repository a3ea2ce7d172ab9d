/** Methods of the wire that schema/openrpc.json does not have yet. */
export type Awaited = "match.notices";
