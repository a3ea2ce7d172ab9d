/* tests/bench/bench_store.c: durable lines a second and their latency, straight into the store.
 *
 *   bench-store [SECONDS [FOLDER [LOAD]]]    prints one line a load (all, or those whose name holds
 * LOAD); lines are those of play: tip, line, answer. FOLDER "" is one below /tmp. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/store_kit.h"

enum { MATCHES = 64, SAMPLES_MAX = 1 << 22 };

struct load {
    const char *name;
    unsigned in_flight; /* of each match; 0: offered at a rate instead */
    unsigned per_second;
};

struct run {
    struct kit kit;
    uint64_t until_ns, sent, answered;
    bool stop;
    unsigned in_flight, next[MATCHES];
    uint32_t *us;
    size_t samples;
    uint64_t start_ns;
    unsigned per_second, turn;
    uv_timer_t timer;
};

struct sent {
    struct run *run;
    unsigned match;
    uint64_t at_ns;
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void send_line(struct run *run, unsigned match);

static void on_stored(void *ctx, enum err err)
{
    struct sent *sent = ctx;
    struct run *run = sent->run;
    unsigned match = sent->match;
    uint64_t now = now_ns();
    if (err != ERR_OK) { abort(); }
    if (run->samples < SAMPLES_MAX) {
        run->us[run->samples++] = (uint32_t)((now - sent->at_ns) / 1000);
    }
    free(sent);
    run->answered++;
    if (run->per_second == 0 && now < run->until_ns) { send_line(run, match); }
}

static void send_line(struct run *run, unsigned match)
{
    struct sent *sent = malloc(sizeof *sent);
    if (sent == NULL) { abort(); }
    *sent = (struct sent){run, match, now_ns()};
    run->sent++;
    store_commit(run->kit.store, kit_line_unit(match, run->next[match]++), on_stored, sent);
}

/* What the rate has made due since the start. */
static void on_timer(uv_timer_t *timer)
{
    struct run *run = timer->data;
    uint64_t now = now_ns();
    uint64_t end = now < run->until_ns ? now : run->until_ns;
    uint64_t due = (end - run->start_ns) * run->per_second / 1000000000;
    while (run->sent < due) {
        send_line(run, run->turn++ % MATCHES);
    }
    if (now >= run->until_ns) { uv_timer_stop(timer); }
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void on_closed(uv_handle_t *handle)
{
    (void)handle;
}

static void measure(struct run *run, const struct load *load, unsigned seconds)
{
    struct store_stats before;
    struct store_stats after;
    double cpu = cpu_seconds();
    run->samples = 0;
    run->sent = 0;
    run->answered = 0;
    run->per_second = load->per_second;
    run->start_ns = now_ns();
    run->until_ns = run->start_ns + (uint64_t)seconds * 1000000000;
    store_get_stats(run->kit.store, &before);
    if (load->per_second == 0) {
        for (unsigned i = 0; i < MATCHES * load->in_flight; i++) {
            send_line(run, i % MATCHES);
        }
    } else {
        uv_timer_init(&run->kit.loop, &run->timer);
        run->timer.data = run;
        uv_timer_start(&run->timer, on_timer, 0, 1);
    }
    while (now_ns() < run->until_ns || run->answered < run->sent) {
        (void)uv_run(&run->kit.loop, UV_RUN_ONCE);
    }
    double took = (double)(now_ns() - run->start_ns) / 1e9;
    cpu = cpu_seconds() - cpu;
    store_get_stats(run->kit.store, &after);
    if (load->per_second != 0) {
        uv_close((uv_handle_t *)&run->timer, on_closed);
        (void)uv_run(&run->kit.loop, UV_RUN_NOWAIT);
    }
    qsort(run->us, run->samples, sizeof run->us[0], compare);
    size_t n = run->samples;
    printf("%-24s %8.0f lines/s  p50 %6.2f  p99 %6.2f  p99.9 %6.2f  max %7.2f ms  "
           "%5.1f lines a commit  %5.1f us CPU a line\n",
           load->name, (double)run->answered / took, run->us[n / 2] / 1e3,
           run->us[n * 99 / 100] / 1e3, run->us[n * 999 / 1000] / 1e3, run->us[n - 1] / 1e3,
           (double)run->answered / (double)(after.commits - before.commits),
           cpu * 1e6 / (double)run->answered);
    fflush(stdout);
}

/* What the disk allows alone: one page written and synced, over and over. */
static void measure_sync(const char *folder)
{
    char path[128];
    char page[4096] = {0};
    snprintf(path, sizeof path, "%s/sync", folder);
    FILE *file = fopen(path, "w");
    if (file == NULL) { return; }
    uint64_t start = now_ns();
    unsigned count = 0;
    while (now_ns() - start < 1000000000) {
        if (pwrite(fileno(file), page, sizeof page, (off_t)(count % 1000) * 4096) < 0) { break; }
        (void)fdatasync(fileno(file));
        count++;
    }
    printf("fdatasync alone: %.3f ms\n", (double)(now_ns() - start) / 1e6 / count);
    (void)fclose(file);
    (void)unlink(path);
}

int main(int argc, char **argv)
{
    static const struct load loads[] = {
        {"1 in flight a match", 1, 0},   {"4 in flight a match", 4, 0},
        {"32 in flight a match", 32, 0}, {"offered 500/s", 0, 500},
        {"offered 8000/s", 0, 8000},     {"offered 20000/s", 0, 20000},
    };
    static struct run run;
    unsigned seconds = argc > 1 ? (unsigned)atoi(argv[1]) : 3;
    run.us = malloc(SAMPLES_MAX * sizeof run.us[0]);
    if (run.us == NULL) { return EXIT_FAILURE; }
    kit_open(&run.kit);
    if (argc > 2 && argv[2][0] != '\0') { /* another disk */
        kit_close(&run.kit);
        kit_remove(&run.kit);
        snprintf(run.kit.folder, sizeof run.kit.folder, "%s", argv[2]);
        snprintf(run.kit.path, sizeof run.kit.path, "%s/bench_store.db", argv[2]);
        const char *error = kit_reopen(&run.kit);
        if (error != NULL) {
            fprintf(stderr, "%s\n", error);
            return EXIT_FAILURE;
        }
    }
    measure_sync(run.kit.folder);
    for (unsigned i = 0; i < MATCHES; i++) {
        kit_make_match(&run.kit, i, NULL, NULL);
    }
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        if (argc <= 3 || strstr(loads[i].name, argv[3]) != NULL) {
            measure(&run, &loads[i], seconds);
        }
    }
    kit_close(&run.kit);
    kit_remove(&run.kit);
    free(run.us);
    return EXIT_SUCCESS;
}
