/** Standing orders as sentences. */
import type { Count, Do, Order, Place, When } from "@/orders/types";
import { PLACES } from "@/orders/types";
import type { TownId, UnitId } from "@/types";
import { has, list, plain, t, townPhrase, tt, unitPhrase, type Args, type Token } from "@/words";

function towns(ids: readonly TownId[], sep: "list.or" | "list.and" | "list.comma", form: "in" | "name" | "to" = "name"): Token[] {
    return list(ids.map((id) => townPhrase(id, form)), sep);
}

function units(ids: readonly UnitId[]): Token[] {
    return list(ids.map((id) => unitPhrase(id)));
}

/** at least 3, at most 5, from 3 to 5, exactly 3; "" for any. */
function count(of: Count | undefined): string {
    if (of === undefined || (of.min === undefined && of.max === undefined)) return "";
    const { min, max } = of;
    const say = (key: string, args: Args): string => plain(tt(key, args, false));
    if (min === undefined) return say("orders.count.max", { max: max ?? 0 });
    if (max === undefined) return say("orders.count.min", { min });
    return min === max ? say("orders.count.same", { n: min }) : say("orders.count.between", { min, max });
}

/** "When you are attacked in Ligny or Fleurus by at least 3 units". */
export function whenWords(when: When): Token[] {
    const conditions: Token[][] = [];
    const by = count(when.by);
    const own = count(when.own);
    if (by !== "") conditions.push(tt("orders.by", { count: by }, false));
    if (own !== "") conditions.push(tt("orders.own", { count: own }, false));
    if (when.ratio !== undefined) conditions.push(tt("orders.ratio", { by: when.ratio[0], own: when.ratio[1] }, false));
    const in_t = when.in === undefined || when.in.length === 0 ? "" : towns(when.in, "list.or", "in");
    return tt(`orders.when.${when.is}`, {
        placed: in_t !== "",
        in_t,
        limited: conditions.length > 0,
        limits: conditions.length === 0 ? "" : list(conditions),
    }, false);
}

/** "fight: Guard infantry on the left, the rest in reserve". */
export function doWords(act: Do): Token[] {
    const key = act.do === "respond" ? `orders.do.${act.choice ?? "fight"}` : `orders.do.${act.do}`;
    const said: Token[][] = [tt(key, {}, false)];
    for (const place of PLACES) {
        const named = act.columns?.[place] ?? [];
        if (named.length > 0) said.push(tt("orders.column", { where_t: placeWords(place), units_t: units(named) }, false));
    }
    if (act.rest !== undefined) said.push(tt("orders.rest", { rest: act.rest }, false));
    for (const route of act.routes ?? []) {
        said.push(tt("orders.route", { unit_t: unitPhrase(route.unit, "the"), path: towns(route.path, "list.comma"), forced: route.forced === true }, false));
    }
    if ((act.to ?? []).length > 0) said.push(tt("orders.to", { towns: towns(act.to ?? [], "list.comma") }, false));
    if ((act.units ?? []).length > 0) said.push(tt("orders.units", { units_t: units(act.units ?? []) }, false));
    if (act.else !== undefined) said.push(tt("orders.else", { how: act.else }, false));
    if (act.spare === false) said.push(tt("orders.no_spare", {}, false));
    const [head = [], ...rest] = said;
    return rest.reduce((all, one) => [...all, { text: t("orders.semicolon") }, ...one], head);
}

export function placeWords(place: Place): string {
    return t(`orders.place.${place}`);
}

/** The whole order as one sentence. */
export function orderWords(order: Order): Token[] {
    return tt("orders.line", { when_t: whenWords(order.when), do: doWords(order.do) });
}

/** The member that a refusal is about, as the page calls it. */
export function memberWords(member: string): string {
    const parts = member.replace(/\[\d+\]/g, "").split(".");
    for (let n = parts.length; n > 0; n--) {
        const key = `orders.member.${parts.slice(0, n).join(".")}`;
        if (has(key)) return t(key);
    }
    return member;
}
