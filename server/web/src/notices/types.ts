/** How an account is told of things outside of its clients, as the wire has it. */
export const KINDS = ["turn", "reminder", "late", "missed", "claim", "vacant", "offer", "begun", "over", "invited", "away", "converted", "mention"] as const;
export type NoticeKind = (typeof KINDS)[number];
export const HOOKS = ["standard", "discord", "ntfy"] as const;
export type HookKind = (typeof HOOKS)[number];
export const CHANNELS = ["mail", "webhook", "push"] as const;
export type NoticeChannel = (typeof CHANNELS)[number];

export interface Subscription {
    endpoint: string;
    keys: { p256dh: string; auth: string };
    label?: string;
}

export interface Notices {
    mail?: boolean;
    webhook?: { url?: string; kind?: HookKind; secret?: string };
    push?: Subscription[];
    always?: boolean;
    digest?: number;
    quiet?: { from?: string; to?: string };
    kinds?: Partial<Record<NoticeKind, boolean>>;
}

/** Of one match, where it is not as of all. */
export interface MatchNotices {
    mail?: boolean;
    webhook?: boolean;
    push?: boolean;
    always?: boolean;
    digest?: number;
    kinds?: Partial<Record<NoticeKind, boolean>>;
}

/** Is the account told of that kind? Yes, unless it said otherwise. */
export function toldOf(kinds: Notices["kinds"], kind: NoticeKind): boolean {
    return kinds?.[kind] ?? true;
}

export interface Delivery {
    id: string;
    kind: string;
    match?: string;
    channel: NoticeChannel;
    target: string;
    state: "waiting" | "sent" | "failed" | "stale";
    attempts: number;
    at: number;
    ended?: number;
    next?: number;
    error?: string;
}

export interface Address {
    channel: NoticeChannel;
    target: string;
    sent_at?: number;
    failing_since?: number;
    disabled_at?: number;
    error?: string;
}
