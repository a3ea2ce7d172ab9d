/** Settings: what this browser shows first, then what is kept with the account. */
import { useEffect } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { pageTitle } from "@/app/banner";
import { LinkStrip } from "@/app/LinkStrip";
import { go, follow } from "@/app/router";
import { AccountPart } from "@/account/AccountPart";
import { AwayPart } from "@/account/AwayPart";
import { BrowserPart } from "@/account/BrowserPart";
import { LeavePart } from "@/account/LeavePart";
import { SafetyPart } from "@/account/SafetyPart";
import { usePress } from "@/account/Saying";
import { TokensPart } from "@/account/TokensPart";
import { account, logout } from "@/net/session";
import { NoticesPart } from "@/notices/NoticesPart";
import { t } from "@/words";
import "@/account/account.css";

export default function SettingsPage() {
    const who = account.value;
    const [wrong, press] = usePress();
    useEffect(() => {
        pageTitle.value = t("settings.title");
    }, []);
    return (
        <>
            <Bar />
            <LinkStrip />
            <main class="page-plain settings">
                <div class="settings-head">
                    <h1>{t("settings.title")}</h1>
                    {who && (
                        <p>
                            <a class="button" href={`/player/${encodeURIComponent(who.name)}`} onClick={follow}>
                                {t("settings.profile")}
                            </a>
                            <button type="button" class="button" onClick={() => press(() => logout().then(() => go("/")))}>
                                {t("settings.sign_out")}
                            </button>
                        </p>
                    )}
                </div>
                {wrong}
                <BrowserPart />
                {who ? (
                    <>
                        <AccountPart />
                        <NoticesPart />
                        <AwayPart />
                        <SafetyPart />
                        <TokensPart />
                        <LeavePart />
                    </>
                ) : (
                    <section class="settings-part card">
                        <p>{t("settings.sign_in_for_more")}</p>
                        <a class="button primary" href="/sign-in?then=/settings" onClick={follow}>
                            {t("start.sign_in")}
                        </a>
                    </section>
                )}
            </main>
        </>
    );
}
