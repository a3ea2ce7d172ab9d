/* client-cli/play/play_offers.c: offers while playing: told, shown with what they take back, made,
 * answered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/face/clock.h"
#include "client-cli/face/offers.h"
#include "client-cli/play/play.h"
#include "common/base/jsonr.h"
#include "common/words/words.h"

enum { PREVIEW_LINES_MAX = 24, STEPS_SHOWN = 40 };

static void say(struct play *play, enum tone tone, const char *id, const char *answer)
{
    struct buf text;
    buf_init(&text, 4096);
    words_say(&text, id, "answer", answer, NULL);
    play_log(play, tone, buf_str(&text));
    buf_finish(&text);
}

static const cJSON *find_offer(const cJSON *offers, int64_t number)
{
    const cJSON *offer = NULL;
    cJSON_ArrayForEach(offer, offers)
    {
        if (offer_number(offer) == number) { return offer; }
    }
    return NULL;
}

static bool is_own(const struct play *play, const cJSON *offer)
{
    const cJSON *seat = json_get(offer, "seat");
    return cJSON_IsString(seat) && strcmp(seat->valuestring, session_seat(play->session)) == 0;
}

static void tell_offer(struct play *play, const cJSON *offer)
{
    struct buf text, answer;
    buf_init(&text, 8192);
    buf_init(&answer, 256);
    const char *number = words_int((long)offer_number(offer));
    if (is_own(play, offer)) {
        buf_append_str(&answer, "decline ");
        buf_append_str(&answer, number);
    } else {
        words_say(&answer, "cli.offer.answers", "n", number, NULL);
    }
    describe_offer(&text, offer, session_seat(play->session), buf_str(&answer));
    play_log(play, TONE_NOTICE, buf_str(&text));
    buf_finish(&text);
    buf_finish(&answer);
}

/* ---- what a rewind takes back, in the words of the history ---- */

/* Steps that were asked for, of an offer (0: none). */
struct asked {
    struct play *play;
    int64_t offer;
};

/* At most so many lines; the others are in the history. */
static void log_lines(struct play *play, char *text, int most)
{
    char *at = text;
    for (int i = 0; *at != '\0' && i < most; i++) {
        at += strcspn(at, "\n");
        at += *at == '\n' ? 1 : 0;
    }
    bool more = *at != '\0';
    *at = '\0';
    play_log(play, TONE_NOTICE, text);
    if (more) { play_log(play, TONE_NOTICE, "      ..."); }
}

static void on_steps(void *ctx, const cJSON *result, const cJSON *error)
{
    struct asked *asked = ctx;
    struct play *play = asked->play;
    const cJSON *offer = find_offer(play->offers, asked->offer);
    bool wanted = play->front != NULL && (asked->offer == 0 || offer != NULL);
    if (wanted && result != NULL && error == NULL) {
        struct buf text;
        size_t n = 0;
        buf_init(&text, CLI_TEXT_MAX);
        describe_steps(&text, json_get(result, "steps"), json_get(offer, "lost"), play->face,
                       play->face->seat);
        buf_append_str(&text, "");
        char *lines = buf_take(&text, &n);
        int most = asked->offer == 0 ? STEPS_SHOWN : PREVIEW_LINES_MAX;
        if (lines != NULL) { log_lines(play, lines, most); }
        free(lines);
        play->front->on_view(play);
    }
    free(asked);
}

static void show_steps(struct play *play, int64_t from, int64_t offer)
{
    struct asked *asked = calloc(1, sizeof *asked);
    if (asked == NULL) { return; }
    asked->play = play;
    asked->offer = offer;
    session_read_steps(play->session, from, on_steps, asked);
}

static void show_offer(struct play *play, const cJSON *offer)
{
    tell_offer(play, offer);
    int64_t from = offer_lost_from(offer);
    if (from > 0) { show_steps(play, from, offer_number(offer)); }
}

/* ---- what the match tells ---- */

void play_offers_told(struct play *play, const cJSON *told)
{
    const cJSON *offers = json_get(told, "offers");
    const cJSON *item = NULL;
    cJSON *before = play->offers;
    play->offers = cJSON_Duplicate(offers, true);
    cJSON_ArrayForEach(item, json_get(told, "closed"))
    {
        struct buf text;
        buf_init(&text, 4096);
        describe_closed(&text, item, session_seat(play->session));
        play_log(play, TONE_NOTICE, buf_str(&text));
        buf_finish(&text);
    }
    cJSON_ArrayForEach(item, play->offers)
    {
        const cJSON *known = find_offer(before, offer_number(item));
        if (known == NULL && play->has_view) {
            show_offer(play, item);
        } else if (play->has_view && !cJSON_Compare(known, item, true)) {
            tell_offer(play, item);
        }
    }
    /* Before the first view the seat is not known: they are told with it. */
    play->offers_due = !play->has_view && cJSON_GetArraySize(play->offers) > 0;
    cJSON_Delete(before);
    if (play->has_view) {
        play_make_choices(play);
        play->front->on_view(play);
    }
}

void play_offers_due(struct play *play)
{
    const cJSON *offer = NULL;
    if (!play->offers_due) { return; }
    play->offers_due = false;
    cJSON_ArrayForEach(offer, play->offers)
    {
        show_offer(play, offer);
    }
}

void play_offers_choices(struct play *play, face_add_fn *add)
{
    const cJSON *offer = NULL;
    cJSON_ArrayForEach(offer, play->offers)
    {
        char order[48];
        if (!offer_awaits(offer, session_seat(play->session))) { continue; }
        snprintf(order, sizeof order, "accept %d", (int)offer_number(offer));
        add(play, order);
        snprintf(order, sizeof order, "decline %d", (int)offer_number(offer));
        add(play, order);
    }
}

/* ---- what the player types ---- */

static void list_offers(struct play *play)
{
    const cJSON *offer = NULL;
    if (cJSON_GetArraySize(play->offers) == 0) {
        say(play, TONE_NOTICE, "cli.offer.none", "");
        say(play, TONE_NOTICE, "cli.offer.usage", "");
    }
    cJSON_ArrayForEach(offer, play->offers)
    {
        show_offer(play, offer);
    }
}

static void run_offer(struct play *play, const char *rest)
{
    char what[16] = "";
    long long to = -1;
    int n = sscanf(rest, "%15s %lld", what, &to);
    if (n < 1) {
        list_offers(play);
    } else if (strcasecmp(what, "time") == 0) {
        char seat[16] = "", span[32] = "";
        int64_t seconds = 0;
        if (sscanf(rest, "%*s %15s %31s", seat, span) == 2 && clock_read_span(span, &seconds)) {
            session_offer_time(play->session, seat, seconds);
        } else {
            say(play, TONE_ERROR, "cli.offer.time", "");
        }
    } else if (strcasecmp(what, "rewind") == 0 && (n < 2 || to < 1)) {
        say(play, TONE_ERROR, "cli.offer.no_step", "");
        show_steps(
            play,
            session_seq(play->session) > STEPS_SHOWN ? session_seq(play->session) - STEPS_SHOWN : 1,
            0);
    } else {
        for (char *c = what; *c != '\0'; c++) {
            *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 'a' - 'A' : *c);
        }
        session_offer(play->session, what, n < 2 ? -1 : to);
    }
}

/* The offer that is meant: by its number, or the only one that can be answered so. */
static const cJSON *which_offer(const struct play *play, const char *rest, bool accept)
{
    const cJSON *offer = NULL;
    const cJSON *found = NULL;
    int fitting = 0;
    if (rest[0] != '\0') { return find_offer(play->offers, strtoll(rest, NULL, 10)); }
    cJSON_ArrayForEach(offer, play->offers)
    {
        bool fits =
            offer_awaits(offer, session_seat(play->session)) || (!accept && is_own(play, offer));
        if (!fits) { continue; }
        fitting++;
        found = offer;
    }
    return fitting == 1 ? found : NULL;
}

static void run_answer(struct play *play, const char *rest, bool accept)
{
    const cJSON *offer = which_offer(play, rest, accept);
    if (offer != NULL) {
        session_answer(play->session, offer_number(offer), accept);
    } else if (cJSON_GetArraySize(play->offers) == 0) {
        say(play, TONE_ERROR, "cli.offer.none", "");
    } else {
        say(play, TONE_ERROR, "cli.offer.which", accept ? "accept" : "decline");
    }
}

bool play_offers_word(struct play *play, const char *word, const char *rest)
{
    if (strcasecmp(word, "offer") == 0) {
        run_offer(play, rest);
    } else if (strcasecmp(word, "accept") == 0) {
        run_answer(play, rest, true);
    } else if (strcasecmp(word, "decline") == 0) {
        run_answer(play, rest, false);
    } else {
        return false;
    }
    return true;
}
