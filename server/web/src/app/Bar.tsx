/** The dark bar at the top of every page. A match page puts title and seats into it. */
import type { ComponentChildren } from "preact";
import { follow } from "@/app/router";
import { account } from "@/net/session";
import { waiting } from "@/app/waiting";
import { t } from "@/words";

interface BarProps {
    /** Beside the name of the page: what is looked at. */
    title?: ComponentChildren;
    /** In the middle: the seats of a match with their clocks. */
    middle?: ComponentChildren;
    /** Before the links at the right. */
    right?: ComponentChildren;
    /** Where the rules of what is shown stand. */
    rules?: string;
}

export function Bar({ title, middle, right, rules = "/rules" }: BarProps) {
    const who = account.value;
    const n = waiting.value.length;
    return (
        <header class="bar">
            <a class="bar-home" href="/" onClick={follow} aria-label={t("bar.home")}>
                <Pennant />
                <span class="bar-name">Vedette</span>
            </a>
            <div class="bar-title">{title}</div>
            <div class="bar-middle">{middle}</div>
            <nav class="bar-right" aria-label={t("bar.pages")}>
                {right}
                <a href={rules} onClick={follow}>
                    {t("bar.rules")}
                </a>
                <a href="/" onClick={follow}>
                    {t("bar.lobby")}
                    {n > 0 && (
                        <span class="bar-count" aria-label={t("bar.waiting", { n })}>
                            {n}
                        </span>
                    )}
                </a>
                {who ? (
                    <a class="bar-me" href="/settings" onClick={follow} aria-label={t("bar.settings", { name: who.name })}>
                        {[...who.name][0]?.toUpperCase()}
                    </a>
                ) : (
                    <a href="/sign-in" onClick={follow}>
                        {t("bar.sign_in")}
                    </a>
                )}
            </nav>
        </header>
    );
}

/** The lance pennant: the mark of Vedette. */
export function Pennant() {
    return (
        <svg class="pennant" width="20" height="26" viewBox="0 0 20 26" aria-hidden="true">
            <path d="M3 1v24" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" fill="none" />
            <path d="M4 3h14l-4 4 4 4H4z" fill="var(--gold)" />
            <path d="M4 7h10" stroke="var(--bar)" stroke-width="1" />
        </svg>
    );
}
