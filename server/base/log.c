/* server/base/log.c: logfmt to standard error, a write a line. */
#include "server/base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/base/clock.h"

enum { LINE_MAX_BYTES = 1024 };

static atomic_int level_now = LOG_INFO;
static const char *const names[] = {"error", "warn", "info", "debug"};

void log_set_level(enum log_level level)
{
    atomic_store(&level_now, (int)level);
}

bool log_level_read(const char *text, enum log_level *out_level)
{
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) != 0) { continue; }
        *out_level = (enum log_level)i;
        return true;
    }
    return false;
}

void log_event(enum log_level level, const char *event, const char *fields, ...)
{
    if ((int)level > atomic_load(&level_now)) { return; }
    const int64_t now_ms = clock_now_ms();
    const time_t now_s = (time_t)(now_ms / 1000);
    struct tm tm;
    gmtime_r(&now_s, &tm);
    char line[LINE_MAX_BYTES];
    size_t n = strftime(line, sizeof line, "at=%Y-%m-%dT%H:%M:%S", &tm);
    n += (size_t)snprintf(line + n, sizeof line - n, ".%03dZ level=%s event=%s ",
                          (int)(now_ms % 1000), names[level], event);
    va_list args;
    va_start(args, fields);
    int more = vsnprintf(line + n, sizeof line - n - 1, fields, args);
    va_end(args);
    if (more > 0) { n += (size_t)more; }
    if (n > sizeof line - 2) { n = sizeof line - 2; }
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)line[i];
        if (c < 0x20 || c == 0x7F) { line[i] = ' '; }
    }
    if (n > 0 && line[n - 1] == ' ') { n--; }
    line[n++] = '\n';
    ssize_t done = write(STDERR_FILENO, line, n);
    (void)done; /* nowhere to complain to */
}
