/* tests/client/kit.c: see kit.h. */
#include "tests/client/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

enum { TEXT_MAX = 8 << 20, SEQ = 7 };

cJSON *kit_json(const char *text)
{
    cJSON *json = NULL;
    ck_assert_msg(json_parse(text, strlen(text), &json) == ERR_OK, "no JSON: %s", text);
    return json;
}

cJSON *kit_file(const char *path)
{
    FILE *file = fopen(path, "re");
    struct buf text;
    char chunk[4096];
    size_t n = 0;
    ck_assert_msg(file != NULL, "no file %s", path);
    buf_init(&text, TEXT_MAX);
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
        buf_append(&text, chunk, n);
    }
    fclose(file);
    cJSON *json = kit_json(buf_str(&text));
    buf_finish(&text);
    return json;
}

void kit_expect_same(const char *what, const char *made, const char *wanted)
{
    cJSON *a = kit_json(made), *b = kit_json(wanted);
    ck_assert_int_eq(json_normalise(a, NULL), ERR_OK);
    ck_assert_int_eq(json_normalise(b, NULL), ERR_OK);
    ck_assert_msg(json_equal(a, b), "%s: made %s", what, made);
    cJSON_Delete(a);
    cJSON_Delete(b);
}

struct state *kit_state(const struct game *game, const char *options, const char *position)
{
    struct state *state = calloc(1, game->state_bytes);
    struct why why;
    cJSON *of = kit_json(options), *json = kit_json(position);
    why_clear(&why);
    ck_assert_int_eq(json_normalise(json, &why), ERR_OK);
    enum err err = game->position_read(of, json, state, &why);
    ck_assert_msg(err == ERR_OK, "position: %s %s %s", why.rule, why.member, why.text);
    cJSON_Delete(of);
    cJSON_Delete(json);
    return state;
}

cJSON *kit_view(const struct game *game, const struct state *state, unsigned viewer,
                const char *code)
{
    struct buf text;
    buf_init(&text, TEXT_MAX);
    jw_object_begin(&text);
    jw_key_str(&text, "as", code);
    jw_key_str(&text, "game", game->name);
    jw_key_int(&text, "seq", SEQ);
    game->view(state, viewer, &text);
    if (viewer < SEATS_MAX) {
        jw_key(&text, "actions");
        game->actions(state, viewer, &text);
    }
    jw_object_end(&text);
    cJSON *view = kit_json(buf_str(&text));
    buf_finish(&text);
    return view;
}
