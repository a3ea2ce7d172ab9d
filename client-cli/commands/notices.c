/* client-cli/commands/notices.c: `vedette notices`: what the account is told outside of its
 * clients, and of which matches otherwise. */
#include <stdlib.h>
#include <string.h>

#include "client-cli/commands/commands.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

static bool read_switch(const char *value, bool *out)
{
    *out = strcmp(value, "on") == 0 || strcmp(value, "yes") == 0 || strcmp(value, "true") == 0;
    return *out || strcmp(value, "off") == 0 || strcmp(value, "no") == 0 ||
           strcmp(value, "false") == 0;
}

/* webhook=KIND:URL, or webhook=none. */
static bool write_webhook(struct buf *out, const char *value)
{
    const char *colon = strchr(value, ':');
    char kind[16];
    jw_key_object(out, "webhook");
    bool none = strcmp(value, "none") == 0;
    if (!none) {
        if (colon == NULL || (size_t)(colon - value) >= sizeof kind) { return false; }
        snprintf(kind, sizeof kind, "%.*s", (int)(colon - value), value);
        jw_key_str(out, "url", colon + 1);
        jw_key_str(out, "kind", kind);
    }
    jw_object_end(out);
    return true;
}

/* quiet=22:00-07:00, or quiet=none. */
static bool write_quiet(struct buf *out, const char *value)
{
    char from[6] = "", to[6] = "", rest = '\0';
    bool none = strcmp(value, "none") == 0;
    if (!none && sscanf(value, "%5[0-9:]-%5[0-9:]%c", from, to, &rest) != 2) { return false; }
    jw_key_object(out, "quiet");
    if (!none) {
        jw_key_str(out, "from", from);
        jw_key_str(out, "to", to);
    }
    jw_object_end(out);
    return true;
}

static bool write_setting(struct buf *out, struct buf *kinds, const char *name, const char *value)
{
    bool on = false;
    char *end = NULL;
    long hours = 0;
    if (strcmp(name, "webhook") == 0) { return write_webhook(out, value); }
    if (strcmp(name, "quiet") == 0) { return write_quiet(out, value); }
    if (strcmp(name, "digest") == 0) {
        hours = strtol(value, &end, 10);
        if (end == value || *end != '\0') { return false; }
        jw_key_int(out, "digest", hours);
        return true;
    }
    if (!read_switch(value, &on)) { return false; }
    bool own = strcmp(name, "mail") == 0 || strcmp(name, "always") == 0;
    jw_key_bool(own ? out : kinds, name, on);
    return true;
}

/* The settings of the arguments from that one on. False: said which is none. */
static bool write_settings(const struct cli *cli, int from, struct buf *params)
{
    struct buf kinds;
    bool good = true;
    buf_init(&kinds, 4096);
    jw_object_begin(&kinds);
    size_t empty = kinds.len;
    jw_key_object(params, "notices");
    for (int i = from; i < cli->nargs && good; i++) {
        const char *text = cli->args[i], *equals = strchr(text, '=');
        char name[32] = "";
        if (equals != NULL) { snprintf(name, sizeof name, "%.*s", (int)(equals - text), text); }
        good = equals != NULL && write_setting(params, &kinds, name, equals + 1);
        if (!good) { cli_say_with("cli.wrong.setting", "text", text); }
    }
    bool any = kinds.len > empty;
    jw_object_end(&kinds);
    if (any) { jw_key_raw(params, "kinds", buf_str(&kinds), kinds.len); }
    jw_object_end(params);
    buf_finish(&kinds);
    return good;
}

static void print_switch(const char *name, const cJSON *value)
{
    if (cJSON_IsBool(value)) { printf("%s=%s\n", name, cJSON_IsTrue(value) ? "on" : "off"); }
}

/* As they are typed, a line each. */
static void print_notices(const cJSON *notices)
{
    const cJSON *hook = json_get(notices, "webhook"), *quiet = json_get(notices, "quiet");
    const cJSON *kind = NULL;
    print_switch("mail", json_get(notices, "mail"));
    print_switch("always", json_get(notices, "always"));
    if (json_get(notices, "digest") != NULL) {
        printf("digest=%d\n", (int)json_int(json_get(notices, "digest"), 0));
    }
    if (json_get(hook, "url") != NULL) {
        printf("webhook=%s:", cli_text_of(hook, "kind", "standard"));
        cli_print_text(stdout, cli_text_of(hook, "url", ""));
        putchar('\n');
    }
    if (json_get(quiet, "from") != NULL) {
        printf("quiet=%s-%s\n", cli_text_of(quiet, "from", ""), cli_text_of(quiet, "to", ""));
    }
    cJSON_ArrayForEach(kind, json_get(notices, "kinds"))
    {
        print_switch(kind->string, kind);
    }
    int browsers = cJSON_GetArraySize(json_get(notices, "push"));
    if (browsers > 0) { printf("push=%d\n", browsers); }
}

/* The first argument is a match unless it sets something. */
enum status cli_notices(struct cli *cli)
{
    bool of_match = cli->nargs > 0 && strchr(cli->args[0], '=') == NULL;
    int from = of_match ? 1 : 0;
    bool sets = cli->nargs > from;
    struct buf params;
    cJSON *result = NULL;
    enum status status = cli_open(cli, NULL);
    if (status != DONE) { return status; }
    buf_init(&params, CLI_TEXT_MAX);
    jw_object_begin(&params);
    if (of_match) { jw_key_str(&params, "match", cli->args[0]); }
    if (sets && !write_settings(cli, from, &params)) {
        buf_finish(&params);
        return WRONG_USAGE;
    }
    if (of_match && sets) { conn_write_action_id(&params); }
    jw_object_end(&params);
    const char *method = of_match ? "match.notices" : sets ? "account.set" : "account.get";
    status = cli_call(cli, method, buf_str(&params), &result);
    buf_finish(&params);
    const cJSON *notices = json_get(result, "notices");
    if (status == DONE && cli->opt.json) {
        cli_print_json(notices != NULL ? notices : result);
    } else if (status == DONE) {
        print_notices(notices);
    }
    cJSON_Delete(result);
    return status;
}
