/* client-cli/play/play_rules.c: how to play, and a rule by its number, read amid a match. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/face/rules_text.h"
#include "client-cli/play/play.h"
#include "common/words/words.h"

/* A text on its way. The play lives until the connection is closed. */
struct reading {
    struct play *play;
    char number[RULES_NUMBER_BYTES]; /* "": how to play */
    bool english;                    /* asked for in English, as there is none in the language */
};

static void ask(struct reading *reading);

/* The page, or its lines where there are no pages. */
static void show(struct play *play, const char *text)
{
    play->asking--;
    if (play->front->pictures) {
        free(play->reading);
        play->reading = strdup(text);
        play->reading_row = 0;
        play->picture = play->reading == NULL ? PICTURE_GAME : PICTURE_RULES;
    } else {
        char *save = NULL, *copy = strdup(text);
        for (char *at = copy == NULL ? NULL : strtok_r(copy, "\n", &save); at != NULL;
             at = strtok_r(NULL, "\n", &save)) {
            play->front->on_line(play, TONE_NOTICE, at);
        }
        free(copy);
    }
    play->front->on_view(play);
}

static void refuse(struct play *play, const char *id, const char *number)
{
    struct buf text;
    play->asking--;
    buf_init(&text, CLI_TEXT_MAX);
    words_say(&text, id, "rule", number, NULL);
    play_log(play, TONE_ERROR, buf_str(&text));
    play->front->on_view(play);
    buf_finish(&text);
}

static void on_text(void *ctx, const char *markdown)
{
    struct reading *reading = ctx;
    struct play *play = reading->play;
    struct buf text;
    bool spoken = strcmp(words_language(), "en") != 0 && !reading->english;
    bool has = false;
    buf_init(&text, RULES_TEXT_MAX);
    if (play->front == NULL) { goto out; } /* the player has left */
    if (reading->english) {
        words_say(&text, "cli.rules.english", NULL);
        buf_append_char(&text, '\n');
    }
    if (markdown != NULL && reading->number[0] == '\0') {
        rules_text_whole(markdown, &text);
        has = true;
    } else if (markdown != NULL) {
        has = rules_text_rule(markdown, reading->number, &text);
    }
    if (!has && spoken) {
        reading->english = true;
        buf_finish(&text);
        ask(reading);
        return;
    }
    if (has) {
        show(play, buf_str(&text));
    } else {
        refuse(play, markdown == NULL ? "cli.rules.failed" : "cli.rules.none", reading->number);
    }
out:
    buf_finish(&text);
    free(reading);
}

static void ask(struct reading *reading)
{
    char path[128];
    struct play *play = reading->play;
    const char *language = reading->english ? "en" : words_language();
    rules_text_path(play->face->game->name, reading->number[0] == '\0', language, path,
                    sizeof path);
    conn_fetch(play->cli->conn, path, RULES_TEXT_MAX, on_text, reading);
}

bool play_rules_word(struct play *play, const char *word, const char *rest)
{
    if (strcasecmp(word, "rules") != 0 && strcasecmp(word, "rule") != 0) { return false; }
    struct reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL) { return true; }
    reading->play = play;
    play->asking++;
    if (rest[0] != '\0' && !rules_text_number(play->face->game->name, rest, reading->number)) {
        refuse(play, "cli.rules.none", rest);
        free(reading);
        return true;
    }
    ask(reading);
    return true;
}
