/* client-cli/face/face.c: the games that the terminal knows, and what they share. */
#include "client-cli/face/face.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/base/buf.h"
#include "common/words/describe.h"
#include "common/words/words.h"

static const struct face_game *const games[] = {&face_austerlitz, &face_waterloo};

struct face *face_create(const char *game, const cJSON *board)
{
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        if (strcmp(games[i]->name, game) == 0) { return games[i]->create(board); }
    }
    return NULL;
}

void face_destroy(struct face *take_face)
{
    if (take_face != NULL) { take_face->game->destroy(take_face); }
}

void face_say_events(const struct face *face, const cJSON *events, const char *viewer,
                     struct buf *out)
{
    if (face != NULL) {
        face->game->say_events(face, events, viewer, out);
    } else {
        describe_events_of(out, events, "", NULL, viewer);
    }
}

void face_say_view(const struct face *face, struct buf *out)
{
    face->game->say_position(face, out);
    face->game->say_prompt(face, out);
}

const char *face_text(const struct face *face, const char *id)
{
    char own[128];
    const char *text = NULL;
    if (face->game->texts != NULL) {
        int stem = (int)strcspn(face->game->texts, "%");
        snprintf(own, sizeof own, "%.*s%s", stem, face->game->texts, id + strlen("cli."));
        text = words_text(own);
    }
    if (text == NULL) { text = words_text(id); }
    return text == NULL ? "" : text;
}

const char *face_usage(const struct face *face, const struct order_word *word)
{
    char id[64];
    snprintf(id, sizeof id, "cli.usage.%s", word->word);
    return word->usage != NULL ? word->usage : face_text(face, id);
}

const char *face_how(const struct face *face, const struct order_word *word)
{
    const struct order_word *w = word;
    while (w > face->game->words && face_usage(face, w)[0] == '\0') {
        w--;
    }
    return face_usage(face, w);
}

const char *face_help(const struct face *face, const struct order_word *word)
{
    char id[64];
    snprintf(id, sizeof id, "cli.help.%s", word->word);
    return face_text(face, id);
}

const char *face_page(const struct face *face, const struct order_word *word)
{
    char id[64];
    snprintf(id, sizeof id, "cli.page.%s", word->word);
    return face_text(face, id);
}

bool face_word_fits(const struct face *face, const struct order_word *word)
{
    return word->states == 0 || (word->states >> face->state & 1U) != 0;
}

const struct order_word *face_word_find(const struct face *face, const char *word)
{
    for (const struct order_word *w = face->game->words; w->word != NULL; w++) {
        if (strcasecmp(w->word, word) == 0) { return w; }
    }
    return NULL;
}
