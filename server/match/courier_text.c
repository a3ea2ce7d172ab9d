/* server/match/courier_text.c: a notice in words, in the language of its reader. All that it says
 * of a match was shown to everybody: public events, the public's view and chain, clocks, offers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/describe.h"
#include "common/words/phrases.h"
#include "common/words/words.h"
#include "server/base/log.h"
#include "server/base/msg.h"
#include "server/clock/zone.h"
#include "server/match/courier_inside.h"
#include "server/match/load.h"
#include "server/store/clocks.h"

enum { LINES_MAX = 40, PUSH_LINES = 3, PUSH_TEXT_MAX = 1200, WHO_BYTES = 128 };

/* --- small things ----------------------------------------------------------------------------- */

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

const char *courier_speak(const struct cJSON *settings)
{
    if (!words_set_language(text_of(settings, "language"))) { (void)words_set_language("en"); }
    return words_language();
}

int64_t courier_read_time(const char *text)
{
    struct tm tm = {0};
    int ms = 0;
    char dot = 0;
    const int got = sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%c%3d", &tm.tm_year, &tm.tm_mon,
                           &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &dot, &ms);
    if (got < 7 || (dot != 'Z' && dot != '.')) { return 0; }
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    return (int64_t)timegm(&tm) * 1000 + (dot == '.' ? ms : 0);
}

int64_t courier_deadline(const char *told, const char *code)
{
    cJSON *json = NULL;
    if (told == NULL || json_parse(told, strlen(told), &json) != ERR_OK) { return 0; }
    const int64_t at =
        courier_read_time(text_of(json_get(json_get(json, "seats"), code), "deadline"));
    cJSON_Delete(json);
    return at;
}

void courier_write_time(struct buf *out, int64_t at, const char *zone_name_wanted)
{
    const struct zone *zone = zone_utc();
    char offset[8], text[128];
    int32_t minute = 0;
    int64_t until = 0, year = 0;
    unsigned month = 0, day_of_month = 0;
    if (zone_name_wanted != NULL && zone_name_wanted[0] != '\0' &&
        zone_find(zone_name_wanted, &zone) != ERR_OK) {
        zone = zone_utc();
    }
    const int64_t day = zone_day(zone, at, &minute);
    zone_date_of_day(day, &year, &month, &day_of_month);
    zone_write_offset(zone_offset_s(zone, at, &until), offset);
    snprintf(text, sizeof text, "%04d-%02u-%02u %02d:%02d %s (UTC%s)", (int)year, month,
             day_of_month, (int)(minute / 60), (int)(minute % 60), zone_name(zone), offset);
    buf_append_str(out, text);
}

void courier_write_title(struct buf *out, const char *title, const char *game, const char *id)
{
    char key[64];
    if (title[0] != '\0') {
        for (const char *c = title; *c != '\0'; c++) {
            buf_append_char(out, (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c);
        }
        return;
    }
    snprintf(key, sizeof key, "game.%.40s", game);
    const char *name = words_text(key);
    buf_append_str(out, name == NULL ? game : name);
    buf_append_char(out, ' ');
    buf_append_str(out, id);
}

/* --- what happened ---------------------------------------------------------------------------- */

/* What is known of the match of a notice. */
struct story {
    struct match_row row;
    bool has_row;
    char title[256], game[ROW_GAME_BYTES], code[ROW_CODE_BYTES];
    uint64_t since, seq;
    struct hash head;
    struct buf lines;    /* one a thing that happened */
    struct buf events;   /* elements of a JSON array */
    size_t events_half;  /* where those begin that stay when there are too many; 0: not yet */
    unsigned lines_gone; /* oldest that stand no more in lines */
    struct buf slot;
    struct board *board;
    int64_t deadline;
    uint32_t waits_for;
};

static bool fits(void *ctx, const struct core *core)
{
    const struct story *story = ctx;
    return core->tip[VIEWER_PUBLIC].seq <= story->since;
}

static unsigned count_lines(const char *text)
{
    unsigned count = 0;
    for (; *text != '\0'; text++) {
        count += *text == '\n' ? 1 : 0;
    }
    return count;
}

/* Takes away the first n bytes. */
static void cut_front(struct buf *buf, size_t n)
{
    memmove(buf->data, buf->data + n, buf->len - n);
    buf_cut(buf, buf->len - n);
}

/* A long story is told by its newest part. */
static void make_room(struct story *story)
{
    struct buf *lines = &story->lines, *events = &story->events;
    if (lines->len > COURIER_TEXT_MAX / 2) {
        const char *text = buf_str(lines), *half = strchr(text + lines->len / 2, '\n');
        const size_t n = half == NULL ? lines->len : (size_t)(half + 1 - text);
        const unsigned all = count_lines(text);
        cut_front(lines, n);
        story->lines_gone += all - count_lines(buf_str(lines));
    }
    if (events->len > COURIER_TEXT_MAX / 2 && story->events_half == 0) {
        buf_reset(events); /* one step alone was as long */
    } else if (events->len > COURIER_TEXT_MAX / 2) {
        cut_front(events, story->events_half + 1); /* with the comma before what stays */
        story->events_half = 0;
    } else if (story->events_half == 0 && events->len > COURIER_TEXT_MAX / 4) {
        story->events_half = events->len;
    }
}

static bool on_step(void *ctx, struct core *core, struct scratch *scratch,
                    const struct core_step *step)
{
    struct story *story = ctx;
    const struct msg *said = core->said[VIEWER_PUBLIC];
    cJSON *events = NULL;
    (void)scratch;
    if (step == NULL || (step->told >> VIEWER_PUBLIC & 1U) == 0 || said == NULL ||
        core->tip[VIEWER_PUBLIC].seq <= story->since || said->len <= 2) {
        return true;
    }
    const char *text = msg_text((struct msg *)(uintptr_t)said);
    if (json_parse(text, said->len, &events) != ERR_OK) { return true; }
    make_room(story);
    describe_events_of(&story->lines, events, story->game, story->board, story->code);
    jw_raw(&story->events, text + 1, said->len - 2);
    cJSON_Delete(events);
    return true;
}

static void read_slot(struct story *story, const struct core *core)
{
    struct view_forms forms;
    struct buf text;
    cJSON *view = NULL;
    if (!core->begun) { return; }
    buf_init(&text, 1U << 20);
    core_view(core, VIEWER_PUBLIC, false, &text, &forms);
    if (!text.failed && json_parse(buf_str(&text), text.len, &view) == ERR_OK) {
        describe_turn(&story->slot, story->game, view);
    }
    cJSON_Delete(view);
    buf_finish(&text);
}

/* Plays what everybody was shown since. A match of rules that this binary lacks has no story, and
 * one whose log does not play has none either: it is told of all the same, and nobody else's
 * notices wait for it. */
static void play(struct db *db, const struct courier *courier, struct story *story)
{
    const struct game *game = load_find_game(
        courier->config.games != NULL ? courier->config.games : games, story->row.game);
    if (game == NULL || story->row.rules < game->rules_first ||
        story->row.rules > game->rules_now || story->row.next_n == 0) {
        return;
    }
    struct load_play play = {.game = game,
                             .row = &story->row,
                             .to = story->row.next_n - 1,
                             .fit = fits,
                             .step = on_step,
                             .ctx = story};
    struct core *core = NULL;
    enum err err = load_play(db, &play, &core);
    if (err == ERR_OK) {
        read_slot(story, core);
    } else {
        log_event(LOG_WARN, "notice_without_story", "match=%s kind=%s", story->row.id.text,
                  err_kind(err));
    }
    if (err != ERR_OK || story->lines.failed || story->events.failed) {
        buf_reset(&story->lines);
        buf_reset(&story->events);
        story->lines_gone = 0;
    }
    core_destroy(core);
}

static void story_init(struct story *story)
{
    memset(story, 0, sizeof *story);
    buf_init(&story->lines, COURIER_TEXT_MAX);
    buf_init(&story->events, COURIER_TEXT_MAX);
    buf_init(&story->slot, 256);
}

static void story_finish(struct story *story)
{
    if (story->has_row) { match_row_finish(&story->row); }
    buf_finish(&story->lines);
    buf_finish(&story->events);
    buf_finish(&story->slot);
    free(story->board);
}

/* Whether what happened is told with it. */
static bool tells_story(enum notice_kind kind)
{
    return kind == NOTICE_TURN || kind == NOTICE_REMINDER || kind == NOTICE_LATE ||
           kind == NOTICE_OVER;
}

static enum err story_read(struct db *db, const struct courier *courier,
                           const struct notice_row *notice, struct story *story)
{
    struct clock_row clock;
    if (notice->match == 0) { return ERR_OK; }
    enum err err = matches_read_row(db, &notice->id, true, &story->row);
    if (err != ERR_OK) { return err; }
    story->has_row = true;
    snprintf(story->game, sizeof story->game, "%s", story->row.game);
    outbox_read_title(db, notice->match, story->title, sizeof story->title);
    if (notice->seat >= 0 && (unsigned)notice->seat < story->row.seats) {
        memcpy(story->code, story->row.codes[notice->seat], sizeof story->code);
    }
    story->seq = story->row.tip[VIEWER_PUBLIC].seq;
    story->head = story->row.tip[VIEWER_PUBLIC].head;
    story->waits_for = story->row.tip[VIEWER_PUBLIC].waits_for;
    story->board = calloc(1, sizeof *story->board);
    if (story->board == NULL) { return ERR_INTERNAL; }
    board_of_game(story->game, story->board);
    if (clocks_read(db, notice->match, &clock) == ERR_OK) {
        story->deadline = courier_deadline(clock.told, story->code);
        clock_row_finish(&clock);
    }
    if (!tells_story(notice->kind)) { return ERR_OK; }
    story->since = notice_since(db, notice);
    play(db, courier, story);
    return ERR_OK;
}

/* --- one notice ------------------------------------------------------------------------------- */

/* What goes into the sentences of a notice. */
struct letter {
    const struct notice_row *notice;
    struct story *story;
    cJSON *data;
    const char *zone;
    struct buf title, side, about;
    char name[ACCOUNT_NAME_BYTES]; /* who invites */
};

static void letter_init(struct letter *letter, struct db *db, const struct notice_row *notice,
                        struct story *story, const char *zone)
{
    memset(letter, 0, sizeof *letter);
    letter->notice = notice;
    letter->story = story;
    letter->zone = zone;
    buf_init(&letter->title, 1024);
    buf_init(&letter->side, 256);
    buf_init(&letter->about, 256);
    if (json_parse(notice->data, strlen(notice->data), &letter->data) != ERR_OK) {
        letter->data = NULL;
    }
    if (notice->match != 0) {
        courier_write_title(&letter->title, story->title, story->game, notice->id.text);
    }
    if (story->code[0] != '\0') { describe_side(&letter->side, story->game, story->code); }
    const char *about = text_of(letter->data, "seat");
    if (about[0] != '\0') { describe_side(&letter->about, story->game, about); }
    if (notice->kind == NOTICE_INVITED) { outbox_read_creator(db, notice->match, letter->name); }
}

static void letter_finish(struct letter *letter)
{
    cJSON_Delete(letter->data);
    buf_finish(&letter->title);
    buf_finish(&letter->side);
    buf_finish(&letter->about);
}

static void say_subject(struct letter *letter, struct buf *out)
{
    words_say(out, "notice.subject", "kind", notice_kind_name(letter->notice->kind), "title",
              buf_str(&letter->title), "name", letter->name, NULL);
    if (letter->story->slot.len > 0 && letter->notice->kind != NOTICE_OVER) {
        buf_append_str(out, " – ");
        buf_append_str(out, buf_str(&letter->story->slot));
    }
}

/* What it is about, in a sentence or two. */
static void say_lead(struct letter *letter, struct buf *out)
{
    const enum notice_kind kind = letter->notice->kind;
    if (kind == NOTICE_OFFER) {
        words_say(out, "notice.offer", "about_t", buf_str(&letter->about), "what",
                  text_of(letter->data, "what"), NULL);
        return;
    }
    words_say(out, "notice.lead", "kind", notice_kind_name(kind), "side_t", buf_str(&letter->side),
              "about_t", buf_str(&letter->about), "name", letter->name, "channel",
              text_of(letter->data, "channel"), "why", text_of(letter->data, "why"), NULL);
}

/* Until when: as the clock stands now, or as the ladder said. False: nothing to say. */
static bool say_deadline(struct letter *letter, struct buf *out)
{
    struct buf time;
    const enum notice_kind kind = letter->notice->kind;
    int64_t at = json_int(json_get(letter->data, "deadline"), 0);
    if (kind == NOTICE_TURN || kind == NOTICE_REMINDER) { at = letter->story->deadline; }
    if (at <= 0) { return false; }
    buf_init(&time, 256);
    courier_write_time(&time, at, letter->zone);
    words_say(out, "notice.deadline", "time", buf_str(&time), NULL);
    buf_finish(&time);
    return true;
}

/* The newest lines, each as "- line"; what is left out is told. */
static void say_story(struct letter *letter, struct buf *out)
{
    const struct story *story = letter->story;
    const char *line = buf_str(&story->lines);
    unsigned count = count_lines(line);
    if (count == 0) { return; }
    words_say(out, "notice.since", NULL);
    buf_append_char(out, '\n');
    const unsigned cut = story->lines_gone + (count > LINES_MAX ? count - LINES_MAX : 0);
    if (cut > 0) {
        words_say(out, "notice.cut", "n", words_int((long)cut), NULL);
        buf_append_char(out, '\n');
    }
    for (; *line != '\0'; count--) {
        const size_t n = strcspn(line, "\n");
        if (count <= LINES_MAX) {
            buf_append_str(out, "- ");
            buf_append(out, line, n);
            buf_append_char(out, '\n');
        }
        line += n + (line[n] == '\n' ? 1 : 0);
    }
    buf_append_char(out, '\n');
}

/* The last lines of what happened, for where there is little room. */
static void say_newest(struct letter *letter, struct buf *out)
{
    const char *text = buf_str(&letter->story->lines);
    const char *from = text + strlen(text);
    for (unsigned lines = 0; from > text && lines <= PUSH_LINES; from--) {
        if (from[-1] == '\n' && ++lines > PUSH_LINES) { break; }
    }
    if (strlen(from) > PUSH_TEXT_MAX) { return; }
    if (from[0] != '\0') { buf_append_char(out, '\n'); }
    buf_append(out, from, strlen(from) - (from[0] != '\0' ? 1 : 0));
}

static void say_chain(struct letter *letter, struct buf *out)
{
    char chain[64];
    if (!letter->story->has_row || letter->story->row.next_n == 0) { return; }
    b64_encode(chain, letter->story->head.bytes, HASH_BYTES);
    words_say(out, "notice.chain", "seq", words_int((long)letter->story->seq), "chain", chain,
              NULL);
    buf_append_char(out, '\n');
}

static void write_link(const struct courier *courier, const struct notice_row *notice, char *out,
                       size_t size)
{
    const char *url = courier->url;
    if (notice->match != 0) {
        snprintf(out, size, "%.239s/match/%s", url, notice->id.text);
    } else {
        snprintf(out, size, "%.239s/settings", url);
    }
}

/* Everything of one notice but what stands below all of a mail. */
static void say_whole(struct letter *letter, const char *link, struct buf *out)
{
    say_lead(letter, out);
    buf_append_char(out, '\n');
    if (say_deadline(letter, out)) { buf_append_char(out, '\n'); }
    buf_append_char(out, '\n');
    say_story(letter, out);
    if (letter->notice->match != 0) {
        words_say(out, "notice.link", "url", link, NULL);
        buf_append_char(out, '\n');
        say_chain(letter, out);
        buf_append_char(out, '\n');
    }
}

/* --- what programs read ----------------------------------------------------------------------- */

static void write_waits_for(struct letter *letter, struct buf *out)
{
    jw_key_array(out, "waits_for");
    for (unsigned i = 0; i < letter->story->row.seats; i++) {
        if ((letter->story->waits_for >> i & 1U) != 0) { jw_str(out, letter->story->row.codes[i]); }
    }
    jw_array_end(out);
}

static void write_time_key(struct buf *out, const char *name, int64_t at)
{
    char text[ZONE_TIME_MAX];
    zone_write_utc(at, text);
    jw_key_str(out, name, text);
}

/* The body of a webhook of kind standard: {"data":{..},"timestamp","type"}. */
static void write_hook(struct letter *letter, const struct message *message, struct buf *out)
{
    const struct story *story = letter->story;
    jw_object_begin(out);
    jw_key_object(out, "data");
    if (letter->notice->match != 0) {
        jw_key_b64(out, "chain", story->head.bytes, HASH_BYTES);
        if (story->deadline > 0) { write_time_key(out, "deadline", story->deadline); }
        if (tells_story(letter->notice->kind)) {
            jw_key_array(out, "events");
            if (story->events.len > 0) { jw_raw(out, story->events.data, story->events.len); }
            jw_array_end(out);
        }
        jw_key_str(out, "game", story->game);
        jw_key_str(out, "match", letter->notice->id.text);
        if (story->code[0] != '\0') { jw_key_str(out, "seat", story->code); }
        jw_key_int(out, "seq", (int64_t)story->seq);
    }
    jw_key_str(out, "subject", buf_str(&message->subject));
    jw_key_str(out, "text", buf_str(&message->text));
    jw_key_str(out, "url", message->link);
    if (story->has_row && story->row.begun) { write_waits_for(letter, out); }
    if (letter->data != NULL && letter->data->child != NULL && letter->about.len > 0) {
        jw_key(out, "about");
        jw_value(out, letter->data);
    }
    jw_object_end(out);
    write_time_key(out, "timestamp", letter->notice->at);
    jw_key_str(out, "type", notice_kind_name(letter->notice->kind));
    jw_object_end(out);
}

/* What the service worker of the browser client shows. */
static void write_push(struct letter *letter, const struct message *message, struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "body", buf_str(&message->text));
    jw_key_str(out, "kind", notice_kind_name(letter->notice->kind));
    if (letter->notice->match != 0) { jw_key_str(out, "match", letter->notice->id.text); }
    if (letter->story->code[0] != '\0') { jw_key_str(out, "seat", letter->story->code); }
    jw_key_str(out, "title", buf_str(&message->subject));
    jw_key_str(out, "url", message->link);
    jw_object_end(out);
}

/* --- messages --------------------------------------------------------------------------------- */

static void drop(struct message *message, const char *state, const char *why)
{
    message->dropped = state;
    message->why = why;
}

/* The address that the delivery is for, if the account still wants it there. */
static bool find_address(const struct courier *courier, const struct courier_wants *wants,
                         const struct delivery_row *row, struct message *message)
{
    char target[WANTS_TARGET_BYTES];
    const struct wants *w = &wants->wants;
    const bool test = row->notice.kind == NOTICE_TEST;
    if (message->channel == CHANNEL_MAIL) {
        snprintf(message->address, sizeof message->address, "%s",
                 w->mail || test ? courier_mail_address(courier, wants) : "");
    } else if (message->channel == CHANNEL_WEBHOOK) {
        message->hook = w->hook;
        if (w->hook != HOOK_NONE) { memcpy(message->address, w->url, sizeof message->address); }
        memcpy(message->secret, w->secret, sizeof message->secret);
    }
    for (unsigned i = 0; message->channel == CHANNEL_PUSH && i < w->push_count; i++) {
        wants_target(w->push[i].endpoint, target);
        if (strcmp(target, row->target) != 0) { continue; }
        memcpy(message->address, w->push[i].endpoint, sizeof message->address);
        memcpy(message->p256dh, w->push[i].p256dh, sizeof message->p256dh);
        memcpy(message->auth, w->push[i].auth, sizeof message->auth);
    }
    if (message->address[0] == '\0') { return false; }
    wants_target(message->address, target);
    return strcmp(target, row->target) == 0;
}

/* Whether it is still to be sent; else the message says how the delivery ends. */
static bool still_wanted(struct db *db, const struct courier *courier,
                         const struct delivery_row *row, const struct courier_wants *wants,
                         struct message *message)
{
    struct endpoint_row endpoint;
    endpoints_read(db, &row->notice.account, row->channel, row->target, &endpoint);
    const bool open = wants->paced && message->channel == CHANNEL_WEBHOOK;
    if (row->dropped || notice_is_stale(db, &row->notice) ||
        (!wants->wants.always && !open && notice_was_seen(db, &row->notice))) {
        drop(message, "stale", "no news any more");
    } else if ((wants->wants.kinds >> row->notice.kind & 1U) == 0 || wants->account.disabled ||
               !find_address(courier, wants, row, message)) {
        drop(message, "stale", "not wanted any more");
    } else if (endpoint.disabled_at != 0) {
        drop(message, "failed", "that address takes nothing");
    }
    return message->dropped == NULL;
}

/* Below all of a mail: where to change what is told, how to end it. */
static void say_foot(const struct courier *courier, const struct notice_row *notice, int64_t now,
                     bool alone, struct message *message)
{
    char link[COURIER_LINK_CHARS + 1], url[400];
    const char *base = courier->url;
    struct buf *out = &message->text;
    snprintf(url, sizeof url, "%s/settings", base);
    words_say(out, "notice.settings", "url", url, NULL);
    buf_append_char(out, '\n');
    if (alone && notice->match != 0) {
        courier_make_link(courier, &notice->account, &notice->id, now, link);
        snprintf(url, sizeof url, "%s/unsubscribe/%s", base, link);
        words_say(out, "notice.stop_match", "url", url, NULL);
        buf_append_char(out, '\n');
    }
    courier_make_link(courier, &notice->account, NULL, now, link);
    snprintf(message->stop, sizeof message->stop, "%s/unsubscribe/%s", base, link);
    words_say(out, "notice.stop", "url", message->stop, NULL);
    buf_append_char(out, '\n');
}

static enum err word_one(struct db *db, const struct courier *courier,
                         const struct delivery_row *row, const char *zone, struct message *message)
{
    struct story story;
    struct letter letter;
    story_init(&story);
    enum err err = story_read(db, courier, &row->notice, &story);
    letter_init(&letter, db, &row->notice, &story, zone);
    write_link(courier, &row->notice, message->link, sizeof message->link);
    if (err == ERR_OK) {
        say_subject(&letter, &message->subject);
        if (message->channel == CHANNEL_MAIL) {
            say_whole(&letter, message->link, &message->text);
        } else {
            say_lead(&letter, &message->text);
            struct buf until;
            buf_init(&until, 512);
            if (say_deadline(&letter, &until)) {
                buf_append_char(&message->text, '\n');
                buf_append_str(&message->text, buf_str(&until));
            }
            buf_finish(&until);
            say_newest(&letter, &message->text);
        }
        if (message->channel == CHANNEL_WEBHOOK) { write_hook(&letter, message, &message->json); }
        if (message->channel == CHANNEL_PUSH) { write_push(&letter, message, &message->json); }
    }
    letter_finish(&letter);
    story_finish(&story);
    return err;
}

/* Other notices that are due to the same address: in the same mail, each under its own title. */
static enum err word_more(struct db *db, const struct courier *courier,
                          const struct delivery_row *first, const char *zone, int64_t now,
                          struct message *message)
{
    struct delivery_row *rows = calloc(COURIER_TOGETHER_MAX, sizeof *rows);
    if (rows == NULL) { return ERR_INTERNAL; }
    const unsigned count =
        deliveries_read_more(db, now, &first->notice.account, "mail", COURIER_TOGETHER_MAX, rows);
    enum err err = ERR_OK;
    for (unsigned i = 0; err == ERR_OK && i < count && message->count < COURIER_TOGETHER_MAX; i++) {
        struct courier_wants wants;
        struct message *other = message_create(message->courier);
        if (other == NULL) {
            err = ERR_INTERNAL;
            break;
        }
        other->channel = CHANNEL_MAIL;
        /* What is not wanted, or is no news, ends when its own turn comes. */
        bool take = rows[i].key != first->key && strcmp(rows[i].target, first->target) == 0 &&
                    courier_wants_read(db, courier, &rows[i].notice, &wants) == ERR_OK;
        if (take) {
            take = still_wanted(db, courier, &rows[i], &wants, other);
            if (take) { err = word_one(db, courier, &rows[i], zone, other); }
            courier_wants_finish(&wants);
        }
        if (take && err == ERR_OK) {
            buf_append_str(&message->text, "* * *\n\n");
            buf_append_str(&message->text, buf_str(&other->subject));
            buf_append_str(&message->text, "\n\n");
            buf_append_str(&message->text, buf_str(&other->text));
            message->delivery[message->count].key = rows[i].key;
            message->delivery[message->count].attempts = rows[i].attempts;
            message->count++;
        }
        message_free(other);
    }
    free(rows);
    return err;
}

/* A mail of several says so, and begins with the title of the first. */
static enum err word_mail(struct db *db, const struct courier *courier,
                          const struct delivery_row *row, const char *zone, int64_t now,
                          struct message *message)
{
    enum err err = word_more(db, courier, row, zone, now, message);
    if (err != ERR_OK) { return err; }
    const bool alone = message->count == 1;
    if (!alone) {
        struct buf text;
        buf_init(&text, 16 * COURIER_TEXT_MAX);
        buf_append_str(&text, buf_str(&message->subject));
        buf_append_str(&text, "\n\n");
        buf_append_str(&text, buf_str(&message->text));
        buf_finish(&message->text);
        message->text = text;
        buf_reset(&message->subject);
        words_say(&message->subject, "notice.digest", "n", words_int((long)message->count), NULL);
    } else if (row->notice.match != 0) {
        snprintf(message->thread, sizeof message->thread, "match.%s", row->notice.id.text);
    }
    say_foot(courier, &row->notice, now, alone, message);
    return ERR_OK;
}

enum err courier_word(struct db *db, const struct courier *courier, const struct delivery_row *row,
                      int64_t now, struct message *out_message)
{
    struct courier_wants wants;
    struct message *message = out_message;
    message->channel = courier_channel_of(row->channel);
    message->account = row->notice.account;
    message->kind = row->notice.kind;
    message->urgent = courier_is_urgent(row->notice.kind);
    message->count = 1;
    message->delivery[0].key = row->key;
    message->delivery[0].attempts = row->attempts;
    memcpy(message->id, row->id, sizeof message->id);
    memcpy(message->target, row->target, sizeof message->target);
    enum err err = courier_wants_read(db, courier, &row->notice, &wants);
    if (err == ERR_NOT_FOUND) {
        drop(message, "stale", "the account is gone");
        return ERR_OK;
    }
    if (err != ERR_OK) { return err; }
    const char *zone = text_of(wants.settings, "timezone");
    snprintf(message->language, sizeof message->language, "%s", courier_speak(wants.settings));
    if (still_wanted(db, courier, row, &wants, message)) {
        err = word_one(db, courier, row, zone, message);
        if (err == ERR_OK && message->channel == CHANNEL_MAIL) {
            err = word_mail(db, courier, row, zone, now, message);
        }
        if (err == ERR_OK &&
            (message->subject.failed || message->text.failed || message->json.failed)) {
            err = ERR_INTERNAL;
        }
    }
    courier_wants_finish(&wants);
    return err;
}
