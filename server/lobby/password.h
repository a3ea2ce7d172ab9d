/* server/lobby/password.h: argon2id in the pool of the loop, a few at once. */
#ifndef VEDETTE_SERVER_LOBBY_PASSWORD_H
#define VEDETTE_SERVER_LOBBY_PASSWORD_H

#include <stdbool.h>
#include <stdint.h>

struct passwords;
struct uv_loop_s;

struct passwords *passwords_create(struct uv_loop_s *loop);
/* Nothing may be under way. */
void passwords_destroy(struct passwords *take_passwords);
/* On the loop. hash: of a new password, else NULL. good: it was made, or it matched. */
typedef void password_done_fn(void *ctx, bool good, const char *hash);
/* Hashes password (hash NULL) or checks it against hash; both are copied. False: too many wait. */
bool passwords_run(struct passwords *passwords, const char *password, const char *hash,
                   password_done_fn *done, void *ctx);
/* The hash of a password that nobody knows, of the same cost. */
const char *passwords_dummy(const struct passwords *passwords);
void passwords_stats(const struct passwords *passwords, uint64_t *out_done, uint64_t *out_waiting);
/* At once, on this thread. out[128]. */
bool password_hash_now(const char *password, char out[128]);

#endif
