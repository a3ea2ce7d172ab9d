/* client-cli/play/play_draft.c: what a player composes before it is given (the combats of a
 * declaration) is kept by the server as the seat's draft: quitting loses nothing, and another
 * client of the same seat goes on from it. */
#include <stdlib.h>
#include <string.h>

#include "client-cli/play/play.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

/* What is composed here as the actions of a draft; the caller's. now: whether it is the time to. */
static char *compose(const struct play *play, bool *out_now)
{
    struct buf text;
    size_t n = 0;
    buf_init(&text, CLI_TEXT_MAX);
    jw_array_begin(&text);
    *out_now = play->face->game->draft(play->face, &text);
    jw_array_end(&text);
    return buf_take(&text, &n);
}

static void on_draft(void *ctx, const cJSON *result, const cJSON *error);

/* actions: NULL: it is read. */
static void call_draft(struct play *play, const char *actions)
{
    struct buf params;
    buf_init(&params, CLI_TEXT_MAX);
    jw_object_begin(&params);
    jw_key_str(&params, "match", session_match(play->session));
    if (play->cli->opt.as != NULL) { jw_key_str(&params, "as", play->cli->opt.as); }
    if (actions != NULL) {
        jw_key_int(&params, "version", play->draft.version);
        jw_key_raw(&params, "actions", actions, strlen(actions));
        conn_write_action_id(&params);
    }
    jw_object_end(&params);
    play->draft.busy = true;
    play->asking++;
    conn_call(play->cli->conn, "match.draft", buf_str(&params), on_draft, play);
    buf_finish(&params);
}

static void set_text(char **text, char *take_new)
{
    free(*text);
    *text = take_new;
}

/* The draft that was kept on this very position goes on where there is none here yet; an older one
 * stays as it is until something is composed. */
static void take_over(struct play *play, const cJSON *kept)
{
    struct play_draft *draft = &play->draft;
    bool now = false;
    char *here = compose(play, &now);
    bool empty = here != NULL && strcmp(here, "[]") == 0;
    bool fits = now && json_int(json_get(kept, "seq"), -1) == draft->read_seq;
    draft->read = true;
    if (!empty) {
        free(here);
        return; /* what was typed meanwhile is kept in its place */
    }
    set_text(&draft->kept, here);
    if (!fits || !play->face->game->take_draft(play->face, json_get(kept, "actions"))) { return; }
    set_text(&draft->kept, compose(play, &now));
    play_log(play, TONE_NOTICE, words_text("cli.draft.found"));
    play_make_choices(play);
}

static void on_draft(void *ctx, const cJSON *result, const cJSON *error)
{
    struct play *play = ctx;
    struct play_draft *draft = &play->draft;
    const cJSON *kind = json_get(json_get(error, "data"), "kind");
    bool wrote = draft->sent != NULL;
    play->asking--;
    draft->busy = false;
    if (result != NULL) { draft->version = json_int(json_get(result, "version"), 0); }
    if (play->front == NULL) { return; }
    if (wrote && cJSON_IsString(kind) && strcmp(kind->valuestring, "conflict") == 0) {
        set_text(&draft->sent, NULL); /* edited elsewhere: who sits here now has the last word */
        call_draft(play, NULL);
        return;
    }
    if (wrote) { /* what is refused for another cause is not tried again */
        set_text(&draft->kept, draft->sent);
        draft->sent = NULL;
    } else if (!draft->read) {
        take_over(play, result);
    }
    play_draft_sync(play);
    play->front->on_view(play);
}

void play_draft_sync(struct play *play)
{
    struct play_draft *draft = &play->draft;
    bool now = false;
    if (play->face->game->draft == NULL || draft->busy || !play->face->player ||
        !session_caught_up(play->session)) { /* what is said of it stands below the history */
        return;
    }
    char *here = compose(play, &now);
    if (here == NULL) { return; }
    if (now && draft->read_seq != session_seq(play->session)) {
        draft->read = false;
        draft->read_seq = session_seq(play->session);
        call_draft(play, NULL);
    } else if (draft->read && (draft->kept == NULL || strcmp(here, draft->kept) != 0)) {
        draft->sent = here;
        call_draft(play, here);
        return;
    }
    free(here);
}

void play_draft_finish(struct play *play)
{
    set_text(&play->draft.kept, NULL);
    set_text(&play->draft.sent, NULL);
}
