/** Methods of the wire that schema/openrpc.json does not have yet. */
export type Awaited = "account.deliveries" | "account.calendar" | "account.notify_test";
