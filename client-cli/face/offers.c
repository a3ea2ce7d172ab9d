/* client-cli/face/offers.c: see offers.h. */
#include "client-cli/face/offers.h"

#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/phrases.h"
#include "common/words/words.h"

enum { STEP_TEXT_MAX = 1 << 16 };

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

int64_t offer_number(const cJSON *offer)
{
    return json_int(json_get(offer, "offer"), 0);
}

int64_t offer_lost_from(const cJSON *offer)
{
    const cJSON *lost = json_get(offer, "lost");
    return lost == NULL ? 0 : json_int(json_get(lost, "to"), 0) + 1;
}

static bool lists_seat(const cJSON *list, const char *seat)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list)
    {
        if (cJSON_IsString(item) && strcmp(item->valuestring, seat) == 0) { return true; }
    }
    return false;
}

bool offer_awaits(const cJSON *offer, const char *seat)
{
    return seat[0] != '\0' && lists_seat(json_get(offer, "awaits"), seat);
}

/* "the French and the Prussians". */
static void say_seats(struct buf *out, const cJSON *seats)
{
    struct phrase_list list;
    struct buf side;
    const cJSON *seat = NULL;
    phrase_list_init(&list);
    buf_init(&side, 256);
    cJSON_ArrayForEach(seat, seats)
    {
        if (!cJSON_IsString(seat)) { continue; }
        buf_reset(&side);
        phrase_side(&side, seat->valuestring);
        phrase_list_add(&list, buf_str(&side));
    }
    phrase_list_say(&list, true, out);
    phrase_list_finish(&list);
    buf_finish(&side);
}

static void say_lost(struct buf *out, const cJSON *lost)
{
    int64_t to = json_int(json_get(lost, "to"), 0);
    int64_t steps = json_int(json_get(lost, "steps"), 0);
    int learned = cJSON_GetArraySize(json_get(lost, "learned"));
    int shown = cJSON_GetArraySize(json_get(lost, "shown"));
    words_say(out, "cli.offer.lost", "to", words_int((long)to), "n", words_int((long)steps),
              "first", words_int((long)to + 1), "last", words_int((long)(to + steps)), NULL);
    buf_append_char(out, '\n');
    words_say(out, "cli.offer.learned", "learned", words_int(learned), "shown", words_int(shown),
              NULL);
    buf_append_char(out, '\n');
}

void describe_offer(struct buf *out, const cJSON *offer, const char *seat, const char *answer)
{
    const char *maker = text_of(offer, "seat");
    const char *own = strcmp(maker, seat) == 0 ? "true" : "false";
    const cJSON *lost = json_get(offer, "lost");
    const char *number = words_int((long)offer_number(offer));
    struct buf seats, side;
    buf_init(&seats, 1024);
    buf_init(&side, 256);
    phrase_side(&side, maker);
    words_say(out, "cli.offer.made", "offer", number, "own", own, "side_t", buf_str(&side), "what",
              text_of(offer, "what"), "to", words_int((long)json_int(json_get(lost, "to"), 0)),
              NULL);
    buf_append_char(out, '\n');
    if (lost != NULL) { say_lost(out, lost); }
    const cJSON *accepted = json_get(offer, "accepted");
    if (cJSON_GetArraySize(accepted) > 0) {
        say_seats(&seats, accepted);
        words_say(out, "cli.offer.accepted", "seats", buf_str(&seats), NULL);
        buf_append_char(out, '\n');
        buf_reset(&seats);
    }
    say_seats(&seats, json_get(offer, "awaits"));
    if (answer != NULL && offer_awaits(offer, seat)) {
        words_say(out, "cli.offer.answer", "answer", answer, NULL);
    } else if (answer != NULL && own[0] == 't') {
        words_say(out, "cli.offer.waits_own", "seats", buf_str(&seats), "answer", answer, NULL);
    } else {
        words_say(out, "cli.offer.waits", "seats", buf_str(&seats), NULL);
    }
    buf_append_char(out, '\n');
    buf_finish(&seats);
    buf_finish(&side);
}

void describe_closed(struct buf *out, const cJSON *closed, const char *seat)
{
    const char *outcome = text_of(closed, "outcome");
    if (strcmp(outcome, "carried_out") == 0) { return; } /* its event says so */
    const char *who = strcmp(outcome, "declined") == 0 ? "by" : "seat";
    struct buf side;
    buf_init(&side, 256);
    phrase_side(&side, text_of(closed, who));
    words_say(out, "cli.offer.closed", "offer", words_int((long)offer_number(closed)), "what",
              text_of(closed, "what"), "outcome", outcome, "own",
              strcmp(text_of(closed, who), seat) == 0 ? "true" : "false", "side_t", buf_str(&side),
              NULL);
    buf_append_char(out, '\n');
    buf_finish(&side);
}

static bool lists_number(const cJSON *list, int64_t number)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list)
    {
        if (json_int(item, -1) == number) { return true; }
    }
    return false;
}

void describe_steps(struct buf *out, const cJSON *steps, const cJSON *lost, const struct face *face,
                    const char *viewer)
{
    const cJSON *step = NULL;
    bool marked = false;
    struct buf text;
    buf_init(&text, STEP_TEXT_MAX);
    cJSON_ArrayForEach(step, steps)
    {
        int64_t seq = json_int(json_get(step, "seq"), 0);
        bool mark = lists_number(json_get(lost, "learned"), seq) ||
                    lists_number(json_get(lost, "shown"), seq);
        marked = marked || mark;
        buf_reset(&text);
        face_say_events(face, json_get(step, "events"), viewer, &text);
        for (const char *at = buf_str(&text); *at != '\0';) {
            size_t n = strcspn(at, "\n");
            char head[32];
            snprintf(head, sizeof head, "%5lld %c ", (long long)seq, mark ? '*' : ' ');
            buf_append_str(out, head);
            buf_append(out, at, n);
            buf_append_char(out, '\n');
            at += n + (at[n] == '\n' ? 1 : 0);
        }
    }
    if (marked) {
        words_say(out, "cli.offer.mark", NULL);
        buf_append_char(out, '\n');
    }
    buf_finish(&text);
}
