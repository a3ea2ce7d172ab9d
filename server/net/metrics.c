/* server/net/metrics.c: Prometheus text format 0.0.4. */
#include "server/net/metrics.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/buf.h"
#include "server/lobby/accounts.h"
#include "server/match/courier.h"
#include "server/match/match.h"
#include "server/net/net.h"
#include "server/store/store.h"

enum { FIRST_BUCKET_US = 16 };

void counters_call(struct counters *counters, enum err err, uint64_t took_us)
{
    unsigned bucket = 0;
    while (bucket < CALL_BUCKETS - 1 && took_us >= (UINT64_C(1) << bucket) * FIRST_BUCKET_US) {
        bucket++;
    }
    counters->calls++;
    counters->errors[err]++;
    counters->call_us[bucket]++;
    counters->call_us_sum += took_us;
}

static void head(struct buf *out, const char *name, const char *type, const char *help)
{
    char line[256];
    snprintf(line, sizeof line, "# HELP vedette_%s %s\n# TYPE vedette_%s %s\n", name, help, name,
             type);
    buf_append_str(out, line);
}

static void value(struct buf *out, const char *name, const char *type, const char *help, uint64_t n)
{
    char line[128];
    head(out, name, type, help);
    snprintf(line, sizeof line, "vedette_%s %llu\n", name, (unsigned long long)n);
    buf_append_str(out, line);
}

/* buckets: not cumulative; bucket i holds what took less than 2^i * 16 us, the last one the rest.
 */
static void histogram(struct buf *out, const char *name, const char *help, const uint64_t *buckets,
                      unsigned n, uint64_t sum_us)
{
    char line[160];
    uint64_t total = 0;
    head(out, name, "histogram", help);
    for (unsigned i = 0; i < n; i++) {
        total += buckets[i];
        if (i == n - 1) { break; }
        snprintf(line, sizeof line, "vedette_%s_bucket{le=\"%.6f\"} %llu\n", name,
                 (double)((UINT64_C(1) << i) * FIRST_BUCKET_US) / 1e6, (unsigned long long)total);
        buf_append_str(out, line);
    }
    snprintf(line, sizeof line,
             "vedette_%s_bucket{le=\"+Inf\"} %llu\nvedette_%s_sum %.6f\nvedette_%s_count %llu\n",
             name, (unsigned long long)total, name, (double)sum_us / 1e6, name,
             (unsigned long long)total);
    buf_append_str(out, line);
}

static uint64_t resident_bytes(void)
{
    unsigned long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) { return 0; }
    int n = fscanf(file, "%lu %lu", &size, &resident);
    fclose(file);
    return n == 2 ? resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void write_calls(const struct counters *c, struct buf *out)
{
    char line[128];
    value(out, "calls_total", "counter", "Calls answered.", c->calls);
    head(out, "call_errors_total", "counter", "Calls answered with an error, by its kind.");
    for (unsigned err = ERR_OK + 1; err < ERR_COUNT; err++) {
        snprintf(line, sizeof line, "vedette_call_errors_total{kind=\"%s\"} %llu\n",
                 err_kind((enum err)err), (unsigned long long)c->errors[err]);
        buf_append_str(out, line);
    }
    histogram(out, "call_seconds", "From a call to its answer.", c->call_us, CALL_BUCKETS,
              c->call_us_sum);
}

static void write_net(const struct counters *c, uint32_t connections, bool work, struct buf *out)
{
    value(out, "connections", "gauge", "Open WebSocket connections.", connections);
    value(out, "sessions_total", "counter", "WebSocket sessions begun.", c->connections_ws);
    value(out, "refused_origin_total", "counter", "Refused for their Origin.", c->refused_origin);
    value(out, "refused_full_total", "counter", "Refused at the limit of connections.",
          c->refused_full);
    value(out, "slow_closed_total", "counter", "Connections closed as too slow.", c->slow_closed);
    if (!work) { return; }
    value(out, "resident_bytes", "gauge", "Resident memory.", resident_bytes());
    value(out, "accepted_total", "counter", "Connections accepted.", c->accepted);
    value(out, "posts_total", "counter", "POST /rpc requests.", c->connections_http);
    value(out, "messages_in_total", "counter", "Frames and bodies received.", c->messages_in);
    value(out, "messages_out_total", "counter", "Messages sent.", c->messages_out);
    value(out, "bytes_in_total", "counter", "Bytes of frames received.", c->bytes_in);
    value(out, "bytes_out_total", "counter", "Bytes of messages sent.", c->bytes_out);
    value(out, "pushes_total", "counter", "Pushes queued.", c->pushes);
    value(out, "views_skipped_total", "counter", "Views that a newer one overtook.",
          c->views_skipped);
}

static void write_store(struct store *store, bool work, struct buf *out)
{
    struct store_stats s;
    store_get_stats(store, &s);
    value(out, "store_disk_errors_total", "counter", "Errors of the disk.", s.disk_errors);
    if (!work) { return; }
    value(out, "store_commits_total", "counter", "Transactions committed.", s.commits);
    value(out, "store_units_total", "counter", "Units written.", s.units);
    value(out, "store_units_failed_total", "counter", "Units that were not stored.",
          s.units_failed);
    value(out, "store_batches_retried_total", "counter", "Batches tried again.", s.retried_batches);
    value(out, "store_reads_total", "counter", "Reads.", s.reads);
    value(out, "store_queue_units", "gauge", "Units that wait for the writer.", s.queue_units);
    value(out, "store_queue_reads", "gauge", "Reads that wait.", s.queue_reads);
    histogram(out, "store_commit_seconds", "Time of a commit.", s.commit_us, STORE_HISTOGRAM,
              s.commit_us_sum);
}

/* A match that ends is seen by everybody; how often it was handed over was, too. */
static void write_hand_overs(const struct matches_stats *s, struct buf *out)
{
    char line[160];
    uint64_t total = 0;
    head(out, "match_hand_overs", "histogram",
         "Finished matches by how often they came to wait for another seat.");
    for (unsigned i = 0; i < HAND_OVER_BOUNDS; i++) {
        total += s->hand_overs[i];
        snprintf(line, sizeof line, "vedette_match_hand_overs_bucket{le=\"%u\"} %llu\n",
                 HAND_OVER_STEP * (i + 1), (unsigned long long)total);
        buf_append_str(out, line);
    }
    snprintf(line, sizeof line,
             "vedette_match_hand_overs_bucket{le=\"+Inf\"} %llu\nvedette_match_hand_overs_sum "
             "%llu\nvedette_match_hand_overs_count %llu\n",
             (unsigned long long)s->hand_overs_count, (unsigned long long)s->hand_overs_sum,
             (unsigned long long)s->hand_overs_count);
    buf_append_str(out, line);
}

static void write_matches(struct matches *matches, bool work, struct buf *out)
{
    struct matches_stats s;
    matches_stats(matches, &s);
    value(out, "watches", "gauge", "Watches.", s.watches);
    write_hand_overs(&s, out);
    if (!work) { return; }
    value(out, "waits", "gauge", "Waits.", s.waits); /* one's own quiet line ends one's own wait */
    value(out, "matches_known", "gauge", "Matches known in memory.", s.known);
    value(out, "matches_loaded", "gauge", "Matches loaded.", s.loaded);
    value(out, "lines_in_flight", "gauge", "Lines on their way to the disk.", s.lines_in_flight);
    value(out, "matches_memory_bytes", "gauge", "Memory of loaded matches and views.",
          s.memory_bytes);
    value(out, "lines_stored_total", "counter", "Lines stored.", s.lines_stored);
    value(out, "lines_refused_total", "counter", "Actions refused.", s.lines_refused);
    value(out, "commits_failed_total", "counter", "Lines whose commit failed.", s.commits_failed);
    value(out, "match_loads_total", "counter", "Matches loaded.", s.loads);
    value(out, "match_unloads_total", "counter", "Matches put to rest.", s.unloads);
    value(out, "bad_states_total", "counter", "Broken invariants found.", s.bad_states);
}

static void write_accounts(struct accounts *accounts, struct buf *out)
{
    struct accounts_stats s;
    accounts_get_stats(accounts, &s);
    value(out, "registered_total", "counter", "Accounts made.", s.registered);
    value(out, "sign_ins_total", "counter", "Sign-ins.", s.signed_in);
    value(out, "sign_ins_failed_total", "counter", "Failed sign-ins.", s.failed);
    value(out, "hashes_total", "counter", "Passwords hashed.", s.hashes);
    value(out, "hashes_waiting", "gauge", "Passwords that wait to be hashed.", s.hashes_waiting);
}

void metrics_write(const struct counters *counters, const struct net_parts *parts,
                   uint32_t connections, bool work, struct buf *out)
{
    write_net(counters, connections, work, out);
    if (work) { write_calls(counters, out); }
    if (parts->store != NULL) { write_store(parts->store, work, out); }
    if (parts->matches != NULL) { write_matches(parts->matches, work, out); }
    if (parts->accounts != NULL) { write_accounts(parts->accounts, out); }
}

void metrics_write_courier(const struct courier *courier, struct buf *out)
{
    struct courier_stats s;
    courier_get_stats(courier, &s);
    value(out, "notices_mailed_total", "counter", "Mails handed on.", s.sent[0]);
    value(out, "notices_hooked_total", "counter", "Webhooks taken.", s.sent[1]);
    value(out, "notices_pushed_total", "counter", "Web pushes taken.", s.sent[2]);
    value(out, "notices_failed_total", "counter", "Attempts that failed.",
          s.failed[0] + s.failed[1] + s.failed[2]);
    value(out, "notices_dropped_total", "counter", "Notices that were no news any more.",
          s.dropped);
    value(out, "notices_under_way", "gauge", "Attempts under way.", s.under_way);
}
