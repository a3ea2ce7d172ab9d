/** A page that asks one thing: bar, strip, a heading and what is under it. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { pageTitle } from "@/app/banner";
import { LinkStrip } from "@/app/LinkStrip";
import { QuickSettings } from "@/account/QuickSettings";
import "@/account/account.css";

export function PlainPage({ title, children }: { title: string; children: ComponentChildren }) {
    useEffect(() => {
        pageTitle.value = title;
    }, [title]);
    return (
        <>
            <Bar right={<QuickSettings />} />
            <LinkStrip />
            <main class="page-plain one-thing">
                <div class="card settings-part">
                    <h1>{title}</h1>
                    {children}
                </div>
            </main>
        </>
    );
}
