/* server/base/clock.c: the system's wall clock once, then the clock that nobody can set. */
#include "server/base/clock.h"

#include <pthread.h>
#include <time.h>

#ifdef VEDETTE_FAULTS
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int64_t wall_less_boot_ms; /* wall clock at the start, less CLOCK_BOOTTIME then */

static int64_t read_ms(clockid_t id)
{
    struct timespec now;
    (void)clock_gettime(id, &now); /* both are always there */
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#ifdef VEDETTE_FAULTS
static const uint64_t *test_ms; /* NULL: the real time */

static void map_test_clock(void)
{
    const char *path = getenv("VEDETTE_CLOCK");
    if (path == NULL) { return; }
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const off_t size = file >= 0 ? lseek(file, 0, SEEK_END) : -1;
    void *map = MAP_FAILED;
    if (size >= (off_t)sizeof *test_ms) {
        map = mmap(NULL, sizeof *test_ms, PROT_READ, MAP_SHARED, file, 0);
    }
    if (map == MAP_FAILED) {
        fprintf(stderr, "vedetted: no clock in %s: %s\n", path, strerror(errno));
        _exit(EXIT_FAILURE);
    }
    close(file);
    test_ms = map;
}
#endif

static void start(void)
{
    wall_less_boot_ms = read_ms(CLOCK_REALTIME) - read_ms(CLOCK_BOOTTIME);
#ifdef VEDETTE_FAULTS
    map_test_clock();
#endif
}

int64_t clock_now_ms(void)
{
    (void)pthread_once(&once, start);
#ifdef VEDETTE_FAULTS
    if (test_ms != NULL) { return (int64_t)le64toh(__atomic_load_n(test_ms, __ATOMIC_ACQUIRE)); }
#endif
    return wall_less_boot_ms + read_ms(CLOCK_BOOTTIME);
}
