/* server/base/clock.h: what time it is: the daemon's one time source. */
#ifndef VEDETTE_SERVER_BASE_CLOCK_H
#define VEDETTE_SERVER_BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds since 1970: the wall clock of the system when the process first asked, and what
 * CLOCK_BOOTTIME has counted since. So whoever sets the system's clock moves no deadline while the
 * daemon runs, and time asleep (a suspended machine) counts. Never goes back. Any thread.
 *
 * For tests, in builds with the option `faults` alone: with VEDETTE_CLOCK=FILE it is the first
 * eight bytes of that file, little-endian, as they are at the moment (the process ends at once
 * where they cannot be read). After writing them a test sends SIGUSR2, and the daemon does what has
 * become due (server/main.c). */
int64_t clock_now_ms(void);

#endif
