/* client-cli/face/rules_text.c: reads the little of Markdown that the texts of the games are
 * written in. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/face/rules_text.h"
#include "common/base/buf.h"
#include "common/words/words.h"

enum { COLUMNS_MAX = 10, TABLE_WIDE = 78 };

/* A line of the text, without its end. */
struct line {
    const char *at;
    size_t n;
};

static bool next_line(const char **at, struct line *out)
{
    if (**at == '\0') { return false; }
    out->at = *at;
    out->n = strcspn(*at, "\n");
    *at += out->n + ((*at)[out->n] == '\n' ? 1 : 0);
    return true;
}

static bool is_table(const struct line *line)
{
    return line->n > 0 && line->at[0] == '|';
}

/* Number of '#' at the head of a heading, 0: it is none. */
static size_t heading_level(const struct line *line)
{
    size_t level = strspn(line->at, "#");
    return level > 0 && level < line->n && line->at[level] == ' ' ? level : 0;
}

/* Whether a citation is part of its sentence, so that the place must be named there. */
static bool is_spoken(const char *text, size_t before, const char *after)
{
    static const char *const words[] = {" is", " as", " and", " but", " than"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i]);
        if (before >= n && strncmp(text + before - n, words[i], n) == 0) { return true; }
    }
    return after[0] == ' ' && islower((unsigned char)after[1]) &&
           (before == 0 || strchr(".*:", text[before - 1]) != NULL);
}

/* Text without its marks (bold, italic, code) and citations. */
static void append_plain(struct buf *out, const char *text, size_t n)
{
    bool code = false;
    for (size_t i = 0; i < n; i++) {
        size_t gap = text[i] == ' ' ? 1 : 0;
        if (!code && i + gap + 6 <= n && strncmp(text + i + gap, "[seed ", 6) == 0) {
            const char *end = memchr(text + i, ']', n - i);
            if (end != NULL) {
                if (is_spoken(text, i, end + 1)) {
                    buf_append(out, " ", gap);
                    buf_append(out, text + i + gap + 6, (size_t)(end - text) - i - gap - 6);
                    buf_append_str(out, " of the text");
                }
                i = (size_t)(end - text);
                continue;
            }
        }
        if (text[i] == '`') {
            code = !code;
        } else if (text[i] == '\\' && i + 1 < n && text[i + 1] == '|') {
            continue;
        } else if (text[i] != '*' || code) {
            buf_append_char(out, text[i]);
        }
    }
}

/* ---- tables ---- */

/* The cells of a row; a bar behind a backslash is none. */
static int split_row(const struct line *line, struct line cells[COLUMNS_MAX])
{
    int n = 0;
    size_t from = 1;
    for (size_t i = 1; i < line->n && n < COLUMNS_MAX; i++) {
        if (line->at[i] != '|' || line->at[i - 1] == '\\') { continue; }
        struct line cell = {line->at + from, i - from};
        while (cell.n > 0 && cell.at[0] == ' ') {
            cell.at++;
            cell.n--;
        }
        while (cell.n > 0 && cell.at[cell.n - 1] == ' ') {
            cell.n--;
        }
        cells[n++] = cell;
        from = i + 1;
    }
    return n;
}

static bool is_ruler(const struct line *line)
{
    return strspn(line->at, "|-: ") >= line->n;
}

static int cell_width(const struct line *cell)
{
    struct buf plain;
    buf_init(&plain, RULES_TEXT_MAX);
    append_plain(&plain, cell->at, cell->n);
    int width = words_width(buf_str(&plain));
    buf_finish(&plain);
    return width;
}

/* Measures the table that begins at `at`; the width of all of it. */
static int measure_table(const char *at, int width[COLUMNS_MAX])
{
    struct line line, cells[COLUMNS_MAX];
    int all = 0;
    memset(width, 0, COLUMNS_MAX * sizeof width[0]);
    while (next_line(&at, &line) && is_table(&line)) {
        int n = is_ruler(&line) ? 0 : split_row(&line, cells);
        for (int i = 0; i < n; i++) {
            int cell = cell_width(&cells[i]);
            if (cell > width[i]) { width[i] = cell; }
        }
    }
    for (int i = 0; i < COLUMNS_MAX; i++) {
        all += width[i] > 0 ? width[i] + 2 : 0;
    }
    return all;
}

/* A row: in columns where the table is narrow enough, else its cells one after the other. */
static void append_row(struct buf *out, const struct line *line, const int width[COLUMNS_MAX],
                       bool columns)
{
    struct line cells[COLUMNS_MAX];
    int n = split_row(line, cells);
    buf_append_str(out, "  ");
    for (int i = 0; i < n; i++) {
        append_plain(out, cells[i].at, cells[i].n);
        if (i + 1 == n) { break; }
        if (!columns) { buf_append_str(out, " | "); }
        for (int pad = columns ? width[i] + 2 - cell_width(&cells[i]) : 0; pad > 0; pad--) {
            buf_append_char(out, ' ');
        }
    }
    buf_append_char(out, '\n');
}

/* ---- the text ---- */

static void append_heading(struct buf *out, const struct line *line, size_t level)
{
    size_t before = out->len;
    append_plain(out, line->at + level + 1, line->n - level - 1);
    int width = words_width(buf_str(out) + before);
    buf_append_char(out, '\n');
    for (int i = 0; i < width && level <= 2; i++) {
        buf_append_char(out, level == 1 ? '=' : '-');
    }
    if (level <= 2) { buf_append_char(out, '\n'); }
}

/* Appends the lines from `at` up to `end`. */
static void append_part(struct buf *out, const char *at, const char *end)
{
    struct line line;
    bool in_table = false, columns = false;
    int width[COLUMNS_MAX];
    while (at < end) {
        const char *here = at;
        if (!next_line(&at, &line)) { break; }
        size_t level = heading_level(&line);
        if (level > 0) {
            append_heading(out, &line, level);
        } else if (is_table(&line)) {
            if (!in_table) { columns = measure_table(here, width) <= TABLE_WIDE; }
            if (!is_ruler(&line)) { append_row(out, &line, width, columns); }
        } else if (line.n != 3 || strncmp(line.at, "---", 3) != 0) {
            append_plain(out, line.at, line.n);
            buf_append_char(out, '\n');
        }
        in_table = is_table(&line);
    }
}

void rules_text_whole(const char *markdown, struct buf *out)
{
    append_part(out, markdown, markdown + strlen(markdown));
}

/* The number at the head of a rule; 0 bytes: the line begins none. "- **W7.4** ...", "7.4 ...". */
static struct line number_of(const struct line *line)
{
    const char *at = line->at;
    if (strncmp(at, "- ", 2) == 0) { at += 2; }
    if (strncmp(at, "**", 2) == 0) { at += 2; }
    size_t n = at[0] == 'W' ? 1 : 0;
    size_t whole = strspn(at + n, "0123456789");
    if (whole == 0 || at[n + whole] != '.') { return (struct line){at, 0}; }
    n += whole + 1;
    size_t part = strspn(at + n, "0123456789");
    n += part;
    bool ends = strchr(" *", at[n]) != NULL && at[n] != '\0';
    return (struct line){at, part > 0 && ends ? n : 0};
}

/* The section that a heading names: W7 of "## W7 Combat turns", 7 of "## 7. After the combat". */
static struct line section_of(const struct line *line, size_t level)
{
    const char *at = line->at + level + 1;
    size_t n = at[0] == 'W' ? 1 : 0;
    size_t digits = strspn(at + n, "0123456789");
    return (struct line){at, digits > 0 ? n + digits : 0};
}

static bool is_called(const struct line *name, const char *number)
{
    return name->n == strlen(number) && strncmp(name->at, number, name->n) == 0;
}

/* From the end of the line at `at`: where the next heading begins, of a level up to that; rules: or
 * the next rule. */
static const char *end_of(const char *at, size_t level_max, bool rules)
{
    struct line line;
    for (const char *here = at; next_line(&at, &line); here = at) {
        size_t level = heading_level(&line);
        if ((level > 0 && level <= level_max) || (rules && number_of(&line).n > 0)) { return here; }
    }
    return at;
}

/* A ruling is a row of its table: its cells below each other. */
static void append_ruling(struct buf *out, const struct line *line)
{
    struct line cells[COLUMNS_MAX];
    int n = split_row(line, cells);
    for (int i = 0; i < n; i++) {
        append_plain(out, cells[i].at, cells[i].n);
        buf_append_char(out, '\n');
    }
}

bool rules_text_rule(const char *markdown, const char *number, struct buf *out)
{
    struct line line;
    for (const char *at = markdown, *here = at; next_line(&at, &line); here = at) {
        size_t level = heading_level(&line);
        struct line name = level > 0 ? section_of(&line, level) : number_of(&line);
        if (is_called(&name, number)) {
            append_part(out, here,
                        level > 0 ? end_of(at, level < 2 ? 2 : level, false) : end_of(at, 6, true));
            return true;
        }
        struct line cells[COLUMNS_MAX];
        if (number[0] == 'R' && is_table(&line) && split_row(&line, cells) > 0 &&
            is_called(&cells[0], number)) {
            append_ruling(out, &line);
            return true;
        }
    }
    return false;
}

bool rules_text_number(const char *game, const char *typed, char out[RULES_NUMBER_BYTES])
{
    bool lettered = strcmp(game, "waterloo") == 0;
    char letter = (char)toupper((unsigned char)typed[0]);
    bool named = letter == 'R' || (lettered && letter == 'W');
    const char *digits = typed + (named ? 1 : 0);
    size_t n = strspn(digits, "0123456789");
    size_t all = n;
    if (digits[all] == '.') { all += 1 + strspn(digits + all + 1, "0123456789"); }
    if (n == 0 || digits[all] != '\0' || all + 2 > RULES_NUMBER_BYTES) { return false; }
    const char *before = named ? (letter == 'R' ? "R" : "W") : lettered ? "W" : "";
    snprintf(out, RULES_NUMBER_BYTES, "%s%s", before, digits);
    return true;
}

void rules_text_path(const char *game, bool guide, const char *language, char *out, size_t bytes)
{
    bool plain = !guide && strcmp(language, "en") == 0;
    snprintf(out, bytes, "/games/%s/%s%s%s.md", game, guide ? "guide" : "rules", plain ? "" : ".",
             plain ? "" : language);
}
