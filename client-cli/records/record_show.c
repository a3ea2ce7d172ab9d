/* client-cli/records/record_show.c: `vedette record show FILE`: a record step by step, as any side
 * saw it.
 */
#include <stdio.h>
#include <string.h>

#include "client-cli/face/face.h"
#include "client-cli/records/proof.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/record/replay.h"
#include "common/words/phrases.h"
#include "common/words/words.h"

/* What a line says that no event tells. */
static void say_plain(const struct line *line, struct buf *out)
{
    struct buf side;
    buf_init(&side, 256);
    if (line->kind == LINE_NONCE) {
        phrase_side(&side, line->seat);
        words_say(out, "event.nonce", "side_t", buf_str(&side), "view", "other", "lost",
                  line->lost ? "true" : "false", NULL);
    } else if (line->kind == LINE_HOST && strcmp(line->host.host, "begin") == 0) {
        words_say(out, "event.begun", NULL);
    } else if (line->kind == LINE_HOST && strcmp(line->host.host, "rewind") == 0) {
        words_say(out, "event.rewound", NULL);
    } else if (line->kind == LINE_HOST && strcmp(line->host.host, "end") != 0) {
        words_say(out, "event.unknown", "ev", line->host.host, NULL);
    }
    if (out->len > 0) { buf_append_char(out, '\n'); }
    buf_finish(&side);
}

/* The events of the last line as that viewer was told them. The caller's. */
static cJSON *events_of(const struct replay *replay, unsigned viewer)
{
    struct buf text;
    cJSON *json = NULL;
    buf_init(&text, EVENTS_BYTES_MAX);
    events_write(replay_events(replay), viewer, &text);
    if (json_parse(buf_str(&text), text.len, &json) != ERR_OK) { json = cJSON_CreateArray(); }
    buf_finish(&text);
    return json;
}

static void show_line(const struct cli *cli, const struct replay *replay, const struct line *line,
                      unsigned viewer, const struct face *face)
{
    cJSON *events = events_of(replay, viewer);
    struct buf out;
    buf_init(&out, RECORD_BYTES_MAX);
    if (cli->opt.json) {
        jw_object_begin(&out);
        jw_key_int(&out, "n", (int64_t)line->n);
        jw_key_int(&out, "seq", (int64_t)replay_seq(replay, viewer));
        jw_key_int(&out, "at", line->at);
        if (line->seat != NULL) { jw_key_str(&out, "seat", line->seat); }
        jw_key(&out, "events");
        jw_value(&out, events);
        jw_object_end(&out);
        cli_print_json_text(buf_str(&out));
    } else {
        say_plain(line, &out);
        face_say_events(face, events, cli->opt.as, &out);
        const char *at = buf_str(&out);
        for (const char *end = strchr(at, '\n'); end != NULL;
             at = end + 1, end = strchr(at, '\n')) {
            char text[4096];
            snprintf(text, sizeof text, "%.*s", (int)(end - at), at);
            printf("%5llu  ", (unsigned long long)line->n);
            cli_print_folded(7, text);
        }
    }
    buf_finish(&out);
    cJSON_Delete(events);
}

static enum status show(struct cli *cli, const struct record *record)
{
    struct why why;
    struct replay *replay = NULL;
    const struct game *game = game_find(record->lines[0].header.game);
    why_clear(&why);
    if (game == NULL) {
        fprintf(stderr, "vedette: this program lacks the rules of that game\n");
        return REFUSED;
    }
    enum err err = replay_create(record, game, &replay, &why);
    if (err != ERR_OK) {
        fprintf(stderr, "vedette: the record cannot be played: %s\n", why.text);
        return REFUSED;
    }
    const char *as = cli->opt.as == NULL ? "all" : cli->opt.as;
    int viewer = replay_viewer(replay, as);
    enum status status = viewer < 0 ? WRONG_USAGE : DONE;
    if (viewer < 0) {
        fprintf(stderr, "vedette: there is no viewer %s: a seat, public, or all\n", as);
    }
    struct face *face = face_create(record->lines[0].header.game, NULL);
    while (status == DONE && replay_at(replay) < record->count) {
        const struct line *line = &record->lines[replay_at(replay)];
        if (replay_next(replay, &why) != ERR_OK) {
            fprintf(stderr, "vedette: line %llu does not replay: %s\n", (unsigned long long)line->n,
                    why.text);
            status = REFUSED;
        } else if ((replay_told(replay) >> viewer & 1U) != 0 &&
                   line->n >= (uint64_t)cli->opt.from) {
            show_line(cli, replay, line, (unsigned)viewer, face);
        }
    }
    face_destroy(face);
    replay_destroy(replay);
    return status;
}

enum status cli_record_show(struct cli *cli)
{
    struct buf text;
    struct record record;
    struct why why;
    uint64_t bad = 0;
    if (cli->nargs != 2) {
        fprintf(stderr, "usage: vedette record show FILE [--as VIEWER] [--from N]\n");
        return WRONG_USAGE;
    }
    why_clear(&why);
    buf_init(&text, RECORD_BYTES_MAX);
    enum status status = REFUSED;
    if (proof_read_file(cli->args[1], &text)) {
        if (record_read(buf_str(&text), text.len, &record, &bad, &why) == ERR_OK) {
            status = show(cli, &record);
            record_finish(&record);
        } else {
            fprintf(stderr, "vedette: line %llu is not that of a record: %s\n",
                    (unsigned long long)bad, why.text);
        }
    }
    buf_finish(&text);
    return status;
}
