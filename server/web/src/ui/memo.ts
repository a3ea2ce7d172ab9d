/** Components that are drawn again only when what they are given has changed (one level deep). */
import { Component, h, type ComponentChildren, type FunctionComponent, type JSX } from "preact";

function same(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    const left = a as Record<string, unknown>;
    const right = b as Record<string, unknown>;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    return keys.every((key) => Object.is(left[key], right[key]));
}

/** True if two sets of props draw the same picture; plain objects in them are compared by their members. */
export function sameProps(a: object, b: object): boolean {
    const left = a as Record<string, unknown>;
    const right = b as Record<string, unknown>;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    return keys.every((key) => same(left[key], right[key]));
}

/** Wraps a component so that equal props keep its last picture. */
export function memo<P extends object>(draw: (props: P) => JSX.Element | null): FunctionComponent<P> {
    class Memo extends Component<P> {
        override shouldComponentUpdate(next: P): boolean {
            return !sameProps(this.props, next);
        }

        override render(): ComponentChildren {
            return h(draw as FunctionComponent<P>, this.props as P & JSX.IntrinsicAttributes);
        }
    }
    return Memo as unknown as FunctionComponent<P>;
}
