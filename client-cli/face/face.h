/* client-cli/face/face.h: a game as the terminal shows it and as orders for it are typed: the next
 * game adds a file with its own struct face_game and a line in face.c. */
#ifndef VEDETTE_CLIENT_CLI_FACE_FACE_H
#define VEDETTE_CLIENT_CLI_FACE_FACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

struct bot_mind;
struct buf;
struct canvas;
struct face_game;

enum { FACE_NOTED_MAX = 4096 };

/* A board at one terminal, and the newest view of its match. The game's own struct begins with it.
 */
struct face {
    const struct face_game *game;
    const cJSON *view; /* the newest that was read: borrowed; NULL before */
    char seat[16];     /* whose it is: a seat, public, all */
    char prompt[32];   /* what is asked of it; "" nothing */
    unsigned state;    /* by the game's own list, below 32 */
    int64_t stage;     /* the position is worth telling anew where it is another */
    bool player;       /* a seat, not a watcher */
    bool to_act, over;
    bool closeup;               /* the page shows a part (a battle), that stands for the whole */
    char noted[FACE_NOTED_MAX]; /* what goes with the order that ends the step; "" nothing */
};

/* A word of the language of orders, what may follow it, and when. */
struct order_word {
    const char *word;
    const char *usage; /* NULL: it has words of a language in it; "": it stands with another */
    unsigned states;   /* bit per state of the face; 0: always */
};
/* The words of every game: the end of each game's list. */
#define ORDER_WORDS_OF_ALL                                                                         \
    {"undo", "undo", 0}, {"say", "say, confer TEXT", 0}, {"confer", "", 0},                        \
        {"clock", "clock, claim, orders, talk", 0}, {"claim", "", 0}, {"orders", "", 0},           \
        {"talk", "", 0}, {"offer", "offer [WHAT]", 0}, {"accept", "accept, decline [N]", 0},       \
        {"decline", "", 0}, {"history", "history", 0}, {"help", "help [WORD], rules [N]", 0},      \
        {"rules", "", 0}, {"resign", "resign yes", 0}, {"quit", "quit", 0},                        \
    {                                                                                              \
        NULL, NULL, 0                                                                              \
    }

/* What became of a word that was typed. */
enum face_heard {
    FACE_NOT_ITS,  /* it may be an order */
    FACE_TURNED,   /* another page is shown, or another part of it */
    FACE_SAID,     /* out holds lines for the log */
    FACE_REFUSED,  /* out holds a sentence why not */
    FACE_QUESTION, /* out holds a question of match.ask, whose answer goes to `answered` */
    FACE_ACTION    /* out holds an action, or an array of them */
};

typedef void face_add_fn(void *ctx, const char *order);

struct face_game {
    const char *name;               /* as on the wire */
    const char *texts;              /* where its own messages stand: "cli.GAME.%s"; NULL: none */
    const struct order_word *words; /* ended by NULL */
    const char *page_map, *page_closeup; /* words of the pages of F2, F3 and F4; NULL: none */
    const char *page_armies;
    /* board: its board data, borrowed for the call; NULL: what this program has itself. NULL: that
     * is not its board, or out of memory. */
    struct face *(*create)(const cJSON *board);
    void (*destroy)(struct face *take_face);
    /* Takes a newer view, which the caller keeps until the next. False: it is none of this game. */
    bool (*read)(struct face *face, const cJSON *view);

    /* Sentences, lines ended by '\n' (the head without): events as a viewer was told them, before a
     * view was read too; the position; the page that is shown; what is asked or waited for. */
    void (*say_events)(const struct face *face, const cJSON *events, const char *viewer,
                       struct buf *out);
    void (*say_position)(const struct face *face, struct buf *out);
    void (*say_page)(const struct face *face, struct buf *out);
    void (*say_prompt)(const struct face *face, struct buf *out);
    void (*say_head)(const struct face *face, struct buf *out);

    /* The page on a screen. scroll_map (NULL: it never does): the map by columns and rows. */
    void (*draw)(struct face *face, struct canvas *canvas);
    bool (*scroll_map)(struct face *face, int right, int down);
    /* Back to the page that the state asks for. */
    void (*turn_home)(struct face *face);

    /* A word to the game's part of the client itself, with what stands behind it. */
    enum face_heard (*hear)(struct face *face, const char *word, const char *rest, struct buf *out);
    /* An order made into an action, or an array of actions to be sent in one call. False: out_why
     * holds a sentence. The server has the last word on what is legal. */
    bool (*order)(const struct face *face, const char *text, struct buf *out_action,
                  struct buf *out_why);
    /* The numbered choices: orders one could type. */
    void (*choices)(const struct face *face, face_add_fn *add, void *ctx);
    /* Completions of the last word of text, as lines; returns the bytes of that word. */
    size_t (*complete)(const struct face *face, const char *text, struct buf *out_words);
    /* What the program would do for the seat. False: nothing. */
    bool (*staff)(const struct face *face, struct bot_mind *mind, struct buf *out_action);

    /* match.ask (NULL: the game asks in JSON alone): words of a question made into one, and an
     * answer (or error, an object of JSON-RPC) in sentences. */
    bool (*question)(const struct face *face, const char *text, struct buf *out_question,
                     struct buf *out_why);
    void (*answered)(struct face *face, const cJSON *question, const cJSON *answer,
                     const cJSON *error, struct buf *out);
    /* What is composed and not given yet, as the actions of a draft, into an array that is open;
     * and that of a draft (an array) into a face that has none. False: now nothing is composed; it
     * does not fit the position. NULL: the game composes nothing here. */
    bool (*draft)(const struct face *face, struct buf *out_actions);
    bool (*take_draft)(struct face *face, const cJSON *actions);
    /* A draft (an array of actions) with one more. NULL: it is added at the end. */
    void (*draft_with)(const cJSON *draft, const cJSON *action, struct buf *out);
    /* Standing orders in words and back. NULL: the game has none. */
    void (*say_standing)(const struct face *face, const cJSON *order, struct buf *out);
    bool (*read_standing)(const struct face *face, const char *line, struct buf *out_json,
                          struct buf *out_why);
};

extern const struct face_game face_austerlitz, face_waterloo;

/* The face of a game. NULL: this program has none of it, board is not its board, or no memory. */
struct face *face_create(const char *game, const cJSON *board);
void face_destroy(struct face *take_face);

/* Events in sentences; face NULL: of a game that this program does not know. */
void face_say_events(const struct face *face, const cJSON *events, const char *viewer,
                     struct buf *out);
/* The position and what is asked. */
void face_say_view(const struct face *face, struct buf *out);
/* The message cli.X as the game has it of its own (`texts` and X), else as it stands; "" none. */
const char *face_text(const struct face *face, const char *id);
/* How a word of orders is written, what it does, and what more there is to say of it. */
const char *face_usage(const struct face *face, const struct order_word *word);
/* The same; of a word that stands with another, how that one is written. */
const char *face_how(const struct face *face, const struct order_word *word);
const char *face_help(const struct face *face, const struct order_word *word);
const char *face_page(const struct face *face, const struct order_word *word);
/* Whether the word has a place in the state. */
bool face_word_fits(const struct face *face, const struct order_word *word);
/* The row of that word without regard to case; NULL: none. */
const struct order_word *face_word_find(const struct face *face, const char *word);

#endif
