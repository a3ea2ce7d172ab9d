/* server/lobby/names.h: what an account may be called, and when two names look alike (PROTOCOL
 * section 3). */
#ifndef VEDETTE_SERVER_LOBBY_NAMES_H
#define VEDETTE_SERVER_LOBBY_NAMES_H

#include <stddef.h>

#include "common/base/err.h"
#include "common/base/why.h"

enum { NAME_KEY_BYTES_MAX = 512 };

/* Checks text (UTF-8) and writes it as it is shown: NFC. INVALID_PARAMS, why->member "name": not 2
 * to 24 letters of any script (with their marks), digits, '_' or '-'; or letters of several scripts
 * mixed that are written alike. */
enum err name_read(const char *text, char *out_name, size_t size, struct why *why) VD_CHECKED;
/* The key by which a name (as name_read gave it) is found: case folded, compatibility forms undone.
 */
enum err name_fold(const char *name, char out[NAME_KEY_BYTES_MAX]) VD_CHECKED;
/* What names that look alike have in common: as written, letters and digits that pass for others
 * taken as one. Two names with the same key or the same skeleton may not both be. */
enum err name_skeleton(const char *name, char out[NAME_KEY_BYTES_MAX]) VD_CHECKED;

#endif
