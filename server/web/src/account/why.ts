/** Errors of the account methods as sentences. */
import { Refusal } from "@/net/rpc";
import { has, refusalText, t } from "@/words";

/** An error of an account method as a sentence. */
export function whyText(error: unknown): string {
    if (!(error instanceof Refusal)) return t("lobby.no_answer");
    if (error.kind === "bad_credentials") return t(error.data.reason === "code" ? "settings.code_wrong" : "settings.password_wrong");
    const key = `settings.refused.${error.data.reason ?? ""}`;
    return has(key) ? t(key) : refusalText(error);
}

/** Did it fail for want of a code of the second factor? */
export function wantsCode(error: unknown): boolean {
    return error instanceof Refusal && error.kind === "bad_credentials" && error.data.reason === "code";
}
