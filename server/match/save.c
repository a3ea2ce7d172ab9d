/* server/match/save.c: a core as bytes: what a snapshot holds. A cache: any doubt, and it is not
 * taken. */
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "server/base/msg.h"
#include "server/match/core.h"

static const char magic[8] = "vedsnap1";
#define NO_TEXT UINT32_MAX

static void put(struct buf *out, const void *bytes, size_t n)
{
    if (n > 0) { buf_append(out, bytes, n); }
}

static void put_u64(struct buf *out, uint64_t value)
{
    put(out, &value, sizeof value);
}

static void put_u32(struct buf *out, uint32_t value)
{
    put(out, &value, sizeof value);
}

/* Views first, so that they can be read without knowing the rest. */
static void save_views(const struct core *core, struct buf *out)
{
    struct buf view;
    buf_init(&view, EVENTS_BYTES_MAX);
    put(out, magic, sizeof magic);
    put_u32(out, core->seats + 1);
    for (unsigned i = 0; i <= core->seats; i++) {
        unsigned viewer = i < core->seats ? i : VIEWER_PUBLIC;
        buf_reset(&view);
        core_view(core, viewer, false, &view, NULL);
        put_u32(out, viewer);
        put_u32(out, (uint32_t)view.len);
        put(out, view.data, view.len);
        out->failed = out->failed || view.failed;
    }
    buf_finish(&view);
}

static void save_window(const struct core *core, struct buf *out)
{
    put_u32(out, core->window_count);
    if (core->window_count > 0) { put(out, core->base, core->game->state_bytes); }
    for (uint32_t i = 0; i < core->window_count; i++) {
        const struct window_line *line = &core->window[i];
        put_u64(out, line->n);
        put_u64(out, line->mask);
        put_u64(out, line->events_hash);
        put_u32(out, line->told);
        put_u32(out, line->seat);
        put_u32(out, line->sealed ? 1 : 0);
        put_u32(out, (uint32_t)strlen(line->action));
        put(out, line->action, strlen(line->action));
    }
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return left < right ? -1 : left > right ? 1 : 0;
}

/* In order, so that the same match always gives the same bytes. */
static void save_answered(const struct core *core, struct buf *out)
{
    put_u32(out, core->answered.count);
    if (core->answered.count == 0) { return; }
    uint64_t *ids = malloc(core->answered.count * sizeof *ids);
    if (ids == NULL) {
        out->failed = true;
        return;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < core->answered.cap; i++) {
        if (core->answered.slots[i] != 0) { ids[count++] = core->answered.slots[i]; }
    }
    qsort(ids, count, sizeof *ids, compare_ids);
    put(out, ids, count * sizeof *ids);
    free(ids);
}

void core_save(const struct core *core, struct buf *out)
{
    save_views(core, out);
    put_u64(out, core->game->state_bytes);
    put_u32(out, core->rules);
    put_u32(out, (core->over ? 1U : 0U) | (core->begun ? 2U : 0U) | (core->on_time ? 4U : 0U));
    put_u64(out, core->next_n);
    put_u64(out, core->roll);
    put_u64(out, core->mask);
    put(out, core->head.bytes, HASH_BYTES);
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        put_u32(out, core->nonce[i]);
        put(out, core->nonces[i].bytes, HASH_BYTES);
        put(out, core->nonce_commits[i].bytes, HASH_BYTES);
    }
    uint8_t tips[TIP_BYTES];
    tip_write_viewers(core->tip, tips);
    put(out, tips, sizeof tips);
    for (unsigned i = 0; i < VIEWERS; i++) {
        struct msg *said = core->said[i];
        put_u32(out, said == NULL ? NO_TEXT : said->len);
        if (said != NULL) { put(out, msg_text(said), said->len); }
    }
    put(out, core->state, core->game->state_bytes);
    save_window(core, out);
    save_answered(core, out);
}

/* A place in bytes; bad once something was not there. */
struct reader {
    const uint8_t *at;
    size_t left;
    bool bad;
};

static const void *take(struct reader *in, size_t n)
{
    if (in->bad || in->left < n) {
        in->bad = true;
        return NULL;
    }
    const uint8_t *at = in->at;
    in->at += n;
    in->left -= n;
    return at;
}

static void take_into(struct reader *in, void *out, size_t n)
{
    const void *bytes = take(in, n);
    if (bytes != NULL && n > 0) { memcpy(out, bytes, n); }
}

static uint64_t take_u64(struct reader *in)
{
    uint64_t value = 0;
    take_into(in, &value, sizeof value);
    return value;
}

static uint32_t take_u32(struct reader *in)
{
    uint32_t value = 0;
    take_into(in, &value, sizeof value);
    return value;
}

/* Steps over the views; of one of them gives the text. */
static void take_views(struct reader *in, unsigned viewer, const char **out_view, size_t *out_len)
{
    const void *head = take(in, sizeof magic);
    if (head == NULL || memcmp(head, magic, sizeof magic) != 0) {
        in->bad = true;
        return;
    }
    uint32_t count = take_u32(in);
    for (uint32_t i = 0; i < count && !in->bad; i++) {
        uint32_t whose = take_u32(in);
        uint32_t len = take_u32(in);
        const char *text = take(in, len);
        if (text != NULL && whose == viewer && out_view != NULL) {
            *out_view = text;
            *out_len = len;
        }
    }
}

bool core_saved_view(const void *bytes, size_t n, unsigned viewer, const char **out_view,
                     size_t *out_len)
{
    struct reader in = {bytes, n, false};
    *out_view = NULL;
    take_views(&in, viewer, out_view, out_len);
    return *out_view != NULL;
}

static void take_window(struct core *core, struct reader *in)
{
    uint32_t count = take_u32(in);
    if (in->bad || count == 0) { return; }
    take_into(in, core->base, core->game->state_bytes);
    if (in->bad || count > in->left) {
        in->bad = true;
        return;
    }
    core->window = calloc(count, sizeof *core->window);
    if (core->window == NULL) {
        in->bad = true;
        return;
    }
    core->window_cap = count;
    for (uint32_t i = 0; i < count && !in->bad; i++) {
        struct window_line *line = &core->window[i];
        line->n = take_u64(in);
        line->mask = take_u64(in);
        line->events_hash = take_u64(in);
        line->told = take_u32(in);
        line->seat = (uint8_t)take_u32(in);
        line->sealed = take_u32(in) != 0;
        uint32_t len = take_u32(in);
        const char *text = take(in, len);
        line->action = text == NULL ? NULL : strndup(text, len);
        if (line->action == NULL) {
            in->bad = true;
            return;
        }
        core->window_count++;
        in->bad = in->bad || line->seat >= core->seats;
    }
}

static void take_said(struct core *core, struct reader *in)
{
    for (unsigned i = 0; i < VIEWERS; i++) {
        uint32_t len = take_u32(in);
        if (len == NO_TEXT) { continue; }
        const char *text = take(in, len);
        core->said[i] = text == NULL ? NULL : msg_create(text, len);
        if (core->said[i] == NULL) { in->bad = true; }
    }
}

enum err core_restore(struct core *core, const void *bytes, size_t n)
{
    struct reader in = {bytes, n, false};
    take_views(&in, 0, NULL, NULL);
    if (take_u64(&in) != core->game->state_bytes) { return ERR_INVALID_PARAMS; }
    if (take_u32(&in) != core->rules) { return ERR_INVALID_PARAMS; }
    uint32_t life = take_u32(&in);
    core->over = (life & 1U) != 0;
    core->begun = (life & 2U) != 0;
    core->on_time = (life & 4U) != 0;
    core->next_n = take_u64(&in);
    core->roll = take_u64(&in);
    core->mask = take_u64(&in);
    take_into(&in, core->head.bytes, HASH_BYTES);
    const struct hash *nonces[SEATS_MAX] = {NULL};
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        uint32_t nonce = take_u32(&in);
        in.bad = in.bad || nonce > SEAT_NONCE_LOST;
        core->nonce[i] = (enum seat_nonce)nonce;
        take_into(&in, core->nonces[i].bytes, HASH_BYTES);
        take_into(&in, core->nonce_commits[i].bytes, HASH_BYTES);
        nonces[i] = nonce == SEAT_NONCE_OPENED ? &core->nonces[i] : NULL;
    }
    dice_key(core->id.text, &core->secret, core->seats, core->codes, nonces, &core->key);
    const void *tips = take(&in, TIP_BYTES);
    if (tips != NULL) { (void)tip_read_viewers(tips, TIP_BYTES, core->tip); }
    take_said(core, &in);
    take_into(&in, core->state, core->game->state_bytes);
    take_window(core, &in);
    uint32_t answered = take_u32(&in);
    for (uint32_t i = 0; i < answered && !in.bad; i++) {
        uint64_t id = take_u64(&in);
        in.bad = in.bad || !idset_add(&core->answered, id);
    }
    if (in.bad || in.left != 0 || !core->begun) { return ERR_INVALID_PARAMS; }
    return core->game->check(core->state) == NULL ? ERR_OK : ERR_INVALID_PARAMS;
}

/* The build id that the linker put into this binary, as hex. */
static int find_build(struct dl_phdr_info *info, size_t size, void *data)
{
    char *out = data;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_NOTE) { continue; }
        const uint8_t *at = (const uint8_t *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        const uint8_t *end = at + info->dlpi_phdr[i].p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            ElfW(Nhdr) note;
            memcpy(&note, at, sizeof note);
            const uint8_t *name = at + sizeof note;
            const uint8_t *desc = name + ((note.n_namesz + 3U) & ~3U);
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
                memcmp(name, "GNU", 4) == 0) {
                static const char hex[] = "0123456789abcdef";
                unsigned n = note.n_descsz > 20 ? 20 : note.n_descsz;
                for (unsigned k = 0; k < n; k++) {
                    out[2 * k] = hex[desc[k] >> 4];
                    out[2 * k + 1] = hex[desc[k] & 15];
                }
                out[2 * n] = '\0';
                return 1;
            }
            at = desc + ((note.n_descsz + 3U) & ~3U);
        }
    }
    return 1; /* the first object is the program itself */
}

const char *core_build(void)
{
    /* Without a build id the time of compiling tells two builds apart. */
    static char build[48] = "";
    if (build[0] == '\0') {
        char text[48] = "";
        (void)dl_iterate_phdr(find_build, text);
        (void)strcpy(build, text[0] != '\0' ? text : __DATE__ " " __TIME__);
    }
    return build;
}
