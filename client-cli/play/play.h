/* client-cli/play/play.h: what the full screen and the plain mode of `vedette play` share: orders,
 * choices, the log. */
#ifndef VEDETTE_CLIENT_CLI_PLAY_PLAY_H
#define VEDETTE_CLIENT_CLI_PLAY_PLAY_H

#include <stdbool.h>

#include "client-cli/bots/bot.h"
#include "client-cli/cli.h"
#include "client-cli/face/face.h"
#include "client-cli/net/session.h"

enum { PLAY_LOG_MAX = 4000, PLAY_CHOICES_MAX = 60, PLAY_BACKLOG = 60, PLAY_ORDER_MAX = 5120 };
enum tone { TONE_EVENT, TONE_OWN, TONE_ERROR, TONE_TALK, TONE_NOTICE };
enum picture { PICTURE_GAME, PICTURE_HELP, PICTURE_HISTORY, PICTURE_RULES };

struct play;
/* How a front shows things. All are called from the loop. */
struct front {
    bool pictures; /* it shows help and history as pages, not as lines of the log */
    void (*on_line)(struct play *play, enum tone tone, const char *text);
    void (*on_view)(struct play *play);   /* the position, the prompt or the picture changed */
    void (*on_status)(struct play *play); /* the line about the connection changed */
};
struct log_line {
    enum tone tone;
    char *text;
};
/* The draft on the server (play_draft.c). */
struct play_draft {
    bool busy, read; /* a call is on its way; it has been read on the position of read_seq */
    int64_t version, read_seq;
    char *kept, *sent; /* as it was written last; what is on its way; NULL: nothing */
};
struct play {
    struct cli *cli;
    struct session *session;
    struct face *face; /* of the match's game, with the newest view */
    const struct front *front;
    void *front_data;
    struct bot_mind mind;
    struct log_line log[PLAY_LOG_MAX]; /* a ring */
    unsigned long log_count;           /* lines ever */
    char *choice[PLAY_CHOICES_MAX];    /* orders; the first is number 1 */
    int choices;
    char order[PLAY_ORDER_MAX],
        pending[PLAY_ORDER_MAX]; /* the last one sent; one to be sent again */
    char order_prompt[32];       /* what was asked when it was sent */
    int64_t order_seq;
    char status[160];
    bool up; /* the connection is */
    enum picture picture;
    const struct order_word *topic; /* of the page of help; NULL: all orders */
    cJSON *offers;                  /* the open ones; NULL: none */
    cJSON *clock;                   /* as the match tells it; NULL: it has none */
    struct play_draft draft;
    char *reading;                      /* the text of PICTURE_RULES; NULL: none */
    int reading_row;                    /* the row of it at the top of the page */
    int asking;                         /* calls of play_desk.c and play_draft.c on their way */
    char due[160], due_brief[96];       /* the own deadline in few words, in fewer */
    bool offers_due;                    /* they are to be told with the first view */
    bool has_view, over, quit, waiting; /* waiting: the match has not begun */
    enum status result;
};

/* Runs one line that was typed: an order, the number of a choice, or a word to the client itself.
 */
void play_command(struct play *play, const char *text);
/* Adds lines to the log and shows them. */
void play_log(struct play *play, enum tone tone, const char *text);
/* Makes the numbered choices anew from the view's forms (play_choices.c). */
void play_make_choices(struct play *play);

/* Offers (play_offers.c): match.get or match.changed told of them; the first view is there; the
 * choices that answer them; a word that was typed: false: it is another. */
void play_offers_told(struct play *play, const cJSON *told);
void play_offers_due(struct play *play);
void play_offers_choices(struct play *play, face_add_fn *add);
bool play_offers_word(struct play *play, const char *word, const char *rest);

/* Clocks, standing orders, talk (play_desk.c): match.get or match.changed told of the clocks; a
 * word that was typed: false: it is another. */
void play_clock_told(struct play *play, const cJSON *clock);
bool play_desk_word(struct play *play, const char *word, const char *rest);

/* How to play and the rules (play_rules.c): a word that was typed: false: it is another. */
bool play_rules_word(struct play *play, const char *word, const char *rest);

/* Keeps what is composed on the server, and takes over what was kept there on this position
 * (play_draft.c): to be called whenever either may have changed. */
void play_draft_sync(struct play *play);
void play_draft_finish(struct play *play);

/* The fronts: run until the player quits. */
enum status play_run_plain(struct play *play);
enum status play_run_screen(struct play *play);

#endif
