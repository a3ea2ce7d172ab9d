/* server/main_commands.c: see main_commands.h. */
#include "server/main_commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <sodium.h>

#include "common/base/buf.h"
#include "common/rules/game.h"
#include "server/lobby/accounts.h"
#include "server/lobby/admin.h"
#include "server/lobby/reports.h"
#include "server/main_settings.h"
#include "server/match/carry.h"
#include "server/match/match.h"
#include "server/store/backup.h"

enum { HELD_BYTES = 512 };

static void print_line(void *ctx, const char *line)
{
    puts(line);
}

/* A line is printed when the next one comes: the last of a check that could not begin says why. */
static void hold_line(void *ctx, const char *line)
{
    char *held = ctx;
    if (held[0] != '\0') { puts(held); }
    snprintf(held, HELD_BYTES, "%s", line);
}

static int command_check(const struct settings *settings)
{
    uint64_t matches = 0, faults = 0;
    char held[HELD_BYTES] = "";
    enum err err = matches_check(settings->database, games, hold_line, held, &matches, &faults);
    if (err != ERR_OK) {
        fprintf(stderr, "vedetted: %s\n", held[0] != '\0' ? held : err_message(err));
        return EXIT_REFUSED;
    }
    if (held[0] != '\0') { puts(held); }
    printf("%llu matches, %llu faults\n", (unsigned long long)matches, (unsigned long long)faults);
    return faults == 0 ? EXIT_DONE : EXIT_REFUSED;
}

static int command_backup(const struct settings *settings, const char *to)
{
    char error[256];
    if (store_backup(settings->database, to, error) == ERR_OK) { return EXIT_DONE; }
    fprintf(stderr, "vedetted: %s\n", error);
    return EXIT_REFUSED;
}

static int command_restore(const struct settings *settings, const char *from)
{
    char error[256], kept[512];
    uint64_t count = 0;
    if (carry_restore(from, settings->database, &count, kept, error) != ERR_OK) {
        fprintf(stderr, "vedetted: %s\n", error);
        return EXIT_REFUSED;
    }
    printf("%llu running matches were marked as restored\n", (unsigned long long)count);
    if (kept[0] != '\0') { printf("what was there is kept as %s\n", kept); }
    return EXIT_DONE;
}

static int command_export(const struct settings *settings, const char *match)
{
    char error[256];
    struct buf text;
    buf_init(&text, CARRY_BYTES_MAX);
    enum err err = carry_export(settings->database, match, &text, error);
    bool written = err == ERR_OK && fwrite(text.data, 1, text.len, stdout) == text.len;
    written = fflush(stdout) == 0 && written;
    buf_finish(&text);
    if (err != ERR_OK) { fprintf(stderr, "vedetted: %s\n", error); }
    if (err == ERR_OK && !written) { fprintf(stderr, "vedetted: %s\n", strerror(errno)); }
    return written ? EXIT_DONE : EXIT_REFUSED;
}

/* The whole file. False: said on standard error. */
static bool read_file(const char *path, struct buf *out)
{
    char chunk[65536];
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        fprintf(stderr, "vedetted: cannot open %s: %s\n", path, strerror(errno));
        return false;
    }
    for (size_t n = 0; (n = fread(chunk, 1, sizeof chunk, file)) > 0;) {
        buf_append(out, chunk, n);
    }
    bool good = ferror(file) == 0 && !out->failed && out->len > 0;
    fclose(file);
    if (!good) { fprintf(stderr, "vedetted: %s cannot be read, or is too long\n", path); }
    return good;
}

static int command_import(const struct settings *settings, const char *path)
{
    char error[256];
    struct buf text;
    struct carried carried;
    buf_init(&text, CARRY_BYTES_MAX);
    enum err err = ERR_INVALID_PARAMS;
    if (read_file(path, &text)) {
        err = carry_import(settings->database, text.data, text.len, games, &carried, error);
        if (err != ERR_OK) { fprintf(stderr, "vedetted: %s\n", error); }
    }
    buf_finish(&text);
    if (err != ERR_OK) { return EXIT_REFUSED; }
    for (unsigned i = 0; i < carried.seats; i++) {
        printf("vedette join %s --seat %s --code %s\n", carried.id.text, carried.codes[i],
               carried.join_codes[i]);
    }
    return EXIT_DONE;
}

/* A line of standard input, without echo on a terminal. NULL: none. */
static const char *read_password(char *out, size_t size)
{
    struct termios old, quiet;
    const bool terminal = tcgetattr(STDIN_FILENO, &old) == 0;
    if (terminal) {
        fputs("Password: ", stderr);
        quiet = old;
        quiet.c_lflag &= ~(tcflag_t)ECHO;
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
    }
    const bool got = fgets(out, (int)size, stdin) != NULL;
    if (terminal) {
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &old);
        fputc('\n', stderr);
    }
    if (!got) { return NULL; }
    out[strcspn(out, "\r\n")] = '\0';
    return out;
}

static int command_account(const struct settings *settings)
{
    char error[ADMIN_ERROR_BYTES] = "", text[PASSWORD_BYTES_MAX + 16];
    struct admin_call call = {.database = settings->database, .write = print_line};
    for (size_t i = 1; i < settings->words_count; i++) {
        call.words[call.count++] = settings->words[i];
    }
    if (call.count > 0 && accounts_admin_needs_password(call.words[0])) {
        call.password = read_password(text, sizeof text);
    }
    enum err err = accounts_admin(&call, error);
    sodium_memzero(text, sizeof text);
    if (err == ERR_OK) { return EXIT_DONE; }
    fprintf(stderr, "vedetted: %s\n", error);
    return err == ERR_INVALID_PARAMS ? EXIT_USAGE : EXIT_REFUSED;
}

static int command_reports(const struct settings *settings)
{
    char error[256] = "";
    const char *verb = settings->words_count > 1 ? settings->words[1] : NULL;
    const char *number = settings->words_count > 2 ? settings->words[2] : NULL;
    enum err err = reports_admin(settings->database, verb, number, print_line, NULL, error);
    if (err == ERR_OK) { return EXIT_DONE; }
    fprintf(stderr, "vedetted: %s\n", error);
    return err == ERR_INVALID_PARAMS ? EXIT_USAGE : EXIT_REFUSED;
}

int command_run(const struct settings *settings)
{
    const char *command = settings->words[0];
    const size_t words = settings->words_count;
    if (strcmp(command, "check") == 0 && words == 1) { return command_check(settings); }
    if (strcmp(command, "backup") == 0 && words == 2) {
        return command_backup(settings, settings->words[1]);
    }
    if (strcmp(command, "restore") == 0 && words == 2) {
        return command_restore(settings, settings->words[1]);
    }
    if (strcmp(command, "export") == 0 && words == 2) {
        return command_export(settings, settings->words[1]);
    }
    if (strcmp(command, "import") == 0 && words == 2) {
        return command_import(settings, settings->words[1]);
    }
    if (strcmp(command, "reports") == 0 && words <= 3) { return command_reports(settings); }
    if (strcmp(command, "account") == 0 && words >= 2) { return command_account(settings); }
    fprintf(stderr, "vedetted: no such command: %s (see --help)\n", command);
    return EXIT_USAGE;
}
