/** Themes and palettes are attributes of the root element; what paints bitmaps must hear of a change. */
import { useEffect, useState } from "preact/hooks";

/** Names the theme and palette now; renders anew when either changes. */
export function useTheme(): string {
    const [theme, setTheme] = useState(themeNow);
    useEffect(() => {
        const observer = new MutationObserver(() => setTheme(themeNow()));
        observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-palette"] });
        setTheme(themeNow());
        return () => observer.disconnect();
    }, []);
    return theme;
}

function themeNow(): string {
    const { theme, palette } = document.documentElement.dataset;
    return `${theme ?? ""} ${palette ?? ""}`;
}
