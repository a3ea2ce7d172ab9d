/* server/base/log.h: one logfmt line an event on standard error. */
#ifndef VEDETTE_SERVER_BASE_LOG_H
#define VEDETTE_SERVER_BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Events above this level are dropped. INFO at the start. */
void log_set_level(enum log_level level);
/* "error", "warn", "info", "debug". False: none of them. */
bool log_level_read(const char *text, enum log_level *out_level);
/* Writes `at=2026-11-29T12:00:00.123Z level=info event=EVENT ...`, any thread. fields: logfmt pairs
 * by printf, "match=%s n=%d"; a text that may hold blanks goes in as key=\"%s\". Control characters
 * become blanks. Never tokens, passwords, chat or anything hidden in a match. */
void log_event(enum log_level level, const char *event, const char *fields, ...)
    __attribute__((format(printf, 3, 4)));

#endif
