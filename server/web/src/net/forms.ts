/**
 * Action forms (PROTOCOL section 5): what a seat may send now, said by the server as structure. The
 * page matches them by that structure alone: it asks whether an action fits, what may be picked
 * for a unit, and has a half-made action filled in. It knows no rules of the game.
 *
 *   [a, b]                        one of these
 *   {list: [f, g]}                an array: a pick of each
 *   {any_of: [..], min, max}      an array of min to max different ones, in any order
 *   {split: [..], into: {..}}     each element under exactly one name
 *   {tree: {..}, min, max}        a path from the root
 *   {range: [lo, hi]}             an integer
 *   {member: form, ...}           an object with these members
 *   anything else                 itself
 */
import type { Action, Form, TownId, UnitId } from "@/types";

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** What kind of form this is, with its parts. */
type Shape =
    | { kind: "choice"; of: unknown[] }
    | { kind: "list"; of: unknown[] }
    | { kind: "any"; of: unknown[]; min: number; max: number }
    | { kind: "split"; of: string[]; into: Record<string, { min?: number; max?: number }> }
    | { kind: "path"; tree: Fields; min: number; max: number }
    | { kind: "range"; lo: number; hi: number }
    | { kind: "object"; members: [string, unknown][] }
    | { kind: "self" };

function hasOnly(form: Fields, ...names: string[]): boolean {
    const keys = Object.keys(form);
    return keys.length === names.length && names.every((name) => name in form);
}

function shapeOf(form: unknown): Shape {
    if (Array.isArray(form)) return { kind: "choice", of: form };
    if (!isFields(form)) return { kind: "self" };
    if (hasOnly(form, "list") && Array.isArray(form.list)) return { kind: "list", of: form.list };
    if (hasOnly(form, "any_of", "min", "max") && Array.isArray(form.any_of))
        return { kind: "any", of: form.any_of, min: Number(form.min), max: Number(form.max) };
    if (hasOnly(form, "split", "into") && Array.isArray(form.split))
        return { kind: "split", of: form.split as string[], into: form.into as Record<string, { min?: number; max?: number }> };
    if (hasOnly(form, "tree", "min", "max") && isFields(form.tree))
        return { kind: "path", tree: form.tree, min: Number(form.min), max: Number(form.max) };
    if (hasOnly(form, "range") && Array.isArray(form.range))
        return { kind: "range", lo: Number(form.range[0]), hi: Number(form.range[1]) };
    return { kind: "object", members: Object.entries(form) };
}

/** Could this value have been picked from this form? */
export function fits(form: unknown, value: unknown): boolean {
    const shape = shapeOf(form);
    switch (shape.kind) {
        case "choice":
            return shape.of.some((one) => fits(one, value));
        case "list":
            return Array.isArray(value) && value.length === shape.of.length && shape.of.every((one, at) => fits(one, value[at]));
        case "any":
            return (
                Array.isArray(value) && value.length >= shape.min && value.length <= shape.max && matched(shape.of, value)
            );
        case "split":
            return fitsSplit(shape, value);
        case "path":
            return fitsPath(shape, value);
        case "range":
            return Number.isInteger(value) && (value as number) >= shape.lo && (value as number) <= shape.hi;
        case "object":
            return (
                isFields(value) &&
                Object.keys(value).length === shape.members.length &&
                shape.members.every(([name, member]) => name in value && fits(member, value[name]))
            );
        case "self":
            return value === form;
    }
}

/** Can every value be given a form of its own? (augmenting paths; the lists are short) */
function matched(forms: unknown[], values: unknown[]): boolean {
    const taken: (number | undefined)[] = forms.map(() => undefined);
    const place = (at: number, tried: Set<number>): boolean =>
        forms.some((form, n) => {
            if (tried.has(n) || !fits(form, values[at])) return false;
            tried.add(n);
            const before = taken[n];
            if (before !== undefined && !place(before, tried)) return false;
            taken[n] = at;
            return true;
        });
    return values.every((_, at) => place(at, new Set()));
}

function fitsSplit(shape: Extract<Shape, { kind: "split" }>, value: unknown): boolean {
    if (!isFields(value)) return false;
    const left = new Set(shape.of);
    for (const [name, part] of Object.entries(value)) {
        if (!(name in shape.into) || !Array.isArray(part)) return false;
        for (const one of part) if (!left.delete(one as string)) return false;
    }
    return (
        left.size === 0 &&
        Object.entries(shape.into).every(([name, { min = 0, max = Infinity }]) => {
            const n = (value[name] as unknown[] | undefined)?.length ?? 0;
            return n >= min && n <= max;
        })
    );
}

function fitsPath(shape: Extract<Shape, { kind: "path" }>, value: unknown): boolean {
    if (!Array.isArray(value) || value.length < shape.min || value.length > shape.max) return false;
    let at: unknown = shape.tree;
    return value.every((step) => {
        if (!isFields(at) || typeof step !== "string" || !(step in at)) return false;
        at = at[step];
        return true;
    });
}

/** Stands for "nothing can be picked like that": undefined is a value that callers may not mean. */
const NONE = Symbol("none");

/**
 * An action picked from the form that agrees with what is wished for so far: members that the wish
 * leaves out are filled in with the first pick. null when no pick agrees.
 */
export function fill(form: unknown, wish?: unknown): unknown {
    const got = filled(form, wish);
    return got === NONE ? null : got;
}

function filled(form: unknown, wish: unknown): unknown {
    const shape = shapeOf(form);
    switch (shape.kind) {
        case "choice":
            return first(shape.of, (one) => filled(one, wish));
        case "list":
            return filledList(shape.of, wish);
        case "any":
            return filledAny(shape, wish);
        case "split":
            if (wish === undefined) return splitOf(shape);
            return fitsSplit(shape, wish) ? wish : NONE;
        case "path":
            if (wish === undefined) return first([...pathsOf(shape)], (one) => one);
            return fitsPath(shape, wish) ? wish : NONE;
        case "range":
            if (wish === undefined) return shape.lo;
            return fits(form, wish) ? wish : NONE;
        case "object":
            return filledObject(shape.members, wish);
        case "self":
            return wish === undefined || wish === form ? form : NONE;
    }
}

function first<T>(all: T[], made: (one: T) => unknown): unknown {
    for (const one of all) {
        const got = made(one);
        if (got !== NONE) return got;
    }
    return NONE;
}

function filledList(forms: unknown[], wish: unknown): unknown {
    if (wish !== undefined && (!Array.isArray(wish) || wish.length !== forms.length)) return NONE;
    const got = forms.map((one, at) => filled(one, wish?.[at]));
    return got.includes(NONE) ? NONE : got;
}

function filledAny(shape: Extract<Shape, { kind: "any" }>, wish: unknown): unknown {
    const wanted = wish === undefined ? shape.of.slice(0, shape.min).map(() => undefined) : wish;
    if (!Array.isArray(wanted) || wanted.length < shape.min || wanted.length > shape.max) return NONE;
    const place = (at: number, free: unknown[]): unknown[] | typeof NONE => {
        if (at === wanted.length) return [];
        for (const one of free) {
            const got = filled(one, wanted[at]);
            if (got === NONE) continue;
            const rest = place(at + 1, free.filter((other) => other !== one));
            if (rest !== NONE) return [got, ...rest];
        }
        return NONE;
    };
    return place(0, shape.of);
}

function filledObject(members: [string, unknown][], wish: unknown): unknown {
    if (wish !== undefined && !isFields(wish)) return NONE;
    const known = new Set(members.map(([name]) => name));
    if (wish !== undefined && Object.keys(wish).some((name) => wish[name] !== undefined && !known.has(name))) return NONE;
    const out: Fields = {};
    for (const [name, member] of members) {
        const got = filled(member, wish?.[name]);
        if (got === NONE) return NONE;
        out[name] = got;
    }
    return out;
}

/** A partition that gives every name its least and the rest to the last. */
function splitOf(shape: Extract<Shape, { kind: "split" }>): unknown {
    const left = [...shape.of];
    const out: Record<string, string[]> = {};
    const names = Object.keys(shape.into);
    for (const name of names) out[name] = left.splice(0, shape.into[name]?.min ?? 0);
    for (const name of [...names].reverse()) {
        const room = (shape.into[name]?.max ?? Infinity) - (out[name]?.length ?? 0);
        out[name]?.push(...left.splice(0, room));
    }
    return fitsSplit(shape, out) ? out : NONE;
}

function* pathsOf(shape: { tree: Fields; min: number; max: number }): Generator<string[]> {
    const walk = function* (at: Fields, gone: string[]): Generator<string[]> {
        if (gone.length >= shape.min && gone.length > 0) yield gone;
        if (gone.length === shape.max) return;
        for (const [step, below] of Object.entries(at)) yield* walk(below as Fields, [...gone, step]);
    };
    yield* walk(shape.tree, []);
}

/** Every path that a path form holds: a tree, or a list that stands for itself. */
export function pathsIn(form: unknown): string[][] {
    const shape = shapeOf(form);
    if (shape.kind === "path") return [...pathsOf(shape)];
    if (shape.kind === "list") return [...picks(form)] as string[][];
    if (shape.kind === "choice") return shape.of.flatMap(pathsIn);
    return [];
}

/**
 * All picks of a form, lazily: partitions and subsets are many, so stop asking in time. Meant for
 * choices of units, targets, places and routes.
 */
export function* picks(form: unknown): Generator<unknown> {
    const shape = shapeOf(form);
    switch (shape.kind) {
        case "choice":
            for (const one of shape.of) yield* picks(one);
            return;
        case "list":
            yield* product(shape.of);
            return;
        case "any":
            yield* subsets(shape.of, shape.min, shape.max);
            return;
        case "split":
            yield* partitions(shape);
            return;
        case "path":
            yield* pathsOf(shape);
            return;
        case "range":
            for (let n = shape.lo; n <= shape.hi; n++) yield n;
            return;
        case "object":
            for (const values of product(shape.members.map(([, member]) => member)))
                yield Object.fromEntries(shape.members.map(([name], at) => [name, values[at]]));
            return;
        case "self":
            yield form;
    }
}

function* product(forms: unknown[]): Generator<unknown[]> {
    const [head, ...rest] = forms;
    if (forms.length === 0) yield [];
    else for (const one of picks(head)) for (const others of product(rest)) yield [one, ...others];
}

function* subsets(forms: unknown[], min: number, max: number): Generator<unknown[]> {
    if (min <= 0) yield [];
    if (max <= 0) return;
    for (const [at, form] of forms.entries())
        for (const one of picks(form))
            for (const rest of subsets(forms.slice(at + 1), Math.max(0, min - 1), max - 1)) yield [one, ...rest];
}

function* partitions(shape: Extract<Shape, { kind: "split" }>): Generator<Record<string, string[]>> {
    const names = Object.keys(shape.into);
    const put = function* (at: number, made: Record<string, string[]>): Generator<Record<string, string[]>> {
        const one = shape.of[at];
        if (one === undefined) {
            if (fitsSplit(shape, made)) yield made;
            return;
        }
        for (const name of names) yield* put(at + 1, { ...made, [name]: [...(made[name] ?? []), one] });
    };
    yield* put(0, Object.fromEntries(names.map((name) => [name, []])));
}

/** The forms of one kind of act, and of one battle or town where that is asked. */
export function formsOf(forms: readonly Form[] | undefined, what: string, where: Fields = {}): Form[] {
    return (forms ?? []).filter(
        (form) => form.do === what && Object.entries(where).every(([name, value]) => fits(form[name], value)),
    );
}

/** The first action of the forms that agrees with the wish, filled in; null when there is none. */
export function actionFor(forms: readonly Form[] | undefined, wish: Fields & { do: string }): Action | null {
    const got = first([...(forms ?? [])], (form) => filled(form, wish));
    return got === NONE ? null : (got as Action);
}

/** Is this action one that a form holds? (The rules may take it all the same: ask match.try.) */
export function offered(forms: readonly Form[] | undefined, action: unknown): boolean {
    return (forms ?? []).some((form) => fits(form, action));
}

/** Members of a choice: the elements of an array, or the one value itself. */
export function choices(form: unknown): unknown[] {
    if (form === undefined) return [];
    return Array.isArray(form) ? form.flatMap(choices) : [form];
}

/** Whom this unit may fire at now, in this battle. */
export function targetsOf(forms: readonly Form[] | undefined, battle: TownId, unit: UnitId): UnitId[] {
    const found = formsOf(forms, "fire", { battle, unit }).flatMap((form) => choices(form.target) as UnitId[]);
    return [...new Set(found)];
}

export interface MoveChoice {
    kind: string;
    /** Lanes to choose from; none where the kind says it all. */
    to: number[];
}

/** The combat moves that this unit may make now, in this battle, each kind once. */
export function movesOf(forms: readonly Form[] | undefined, battle: TownId, unit: UnitId): MoveChoice[] {
    const found = new Map<string, Set<number>>();
    for (const form of formsOf(forms, "move", { battle, unit })) {
        for (const kind of choices(form.kind) as string[]) {
            const to = found.get(kind) ?? new Set<number>();
            for (const lane of choices(form.to) as number[]) to.add(lane);
            found.set(kind, to);
        }
    }
    return [...found].map(([kind, to]) => ({ kind, to: [...to].sort() }));
}

/** Units named by a form's items of routes or lists, by whatever structure it holds them. */
export function unitsIn(form: unknown): UnitId[] {
    const found = new Set<UnitId>();
    const walk = (at: unknown, name: string): void => {
        if (Array.isArray(at)) for (const one of at) walk(one, name);
        else if (isFields(at)) for (const [member, value] of Object.entries(at)) if (member !== "path" && member !== "tree") walk(value, member);
        if (typeof at === "string" && /^(FR|AD|PR)-[A-R]$/.test(at) && name !== "target") found.add(at);
    };
    walk(form, "");
    return [...found];
}

export interface RouteChoice {
    unit: UnitId;
    path: TownId[];
    forced: boolean;
}

/** The routes that forms of retreat, rout, response or march hold, one by one, each once. */
export function routesIn(items: unknown): RouteChoice[] {
    const found = new Map<string, RouteChoice>();
    const walk = (at: unknown): void => {
        const shape = shapeOf(at);
        if (shape.kind === "choice" || shape.kind === "list" || shape.kind === "any") shape.of.forEach(walk);
        else if (isFields(at) && "unit" in at && "path" in at)
            for (const unit of choices(at.unit) as UnitId[])
                for (const path of pathsIn(at.path)) {
                    const route = { unit, path, forced: at.forced === true };
                    found.set(JSON.stringify(route), route);
                }
    };
    walk(items);
    return [...found.values()];
}
