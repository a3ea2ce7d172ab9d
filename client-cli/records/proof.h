/* client-cli/records/proof.h: what proves a match: its record, the verifier, the receipts that the client
 * keeps. */
#ifndef VEDETTE_CLIENT_CLI_RECORDS_PROOF_H
#define VEDETTE_CLIENT_CLI_RECORDS_PROOF_H

#include "client-cli/cli.h"

enum { RECORD_BYTES_MAX = 64 << 20 };

/* `vedette record MATCH [-o FILE]` saves a record, `vedette record show FILE` steps through one. */
enum status cli_record(struct cli *cli);
/* Steps through the record in args[1]: by the rules, needs no server. */
enum status cli_record_show(struct cli *cli);
/* `vedette verify RECORD [--receipts FILE]`. By the rules, needs no server. */
enum status cli_verify(struct cli *cli);

/* Reads a file whole, "-" standard input. False: said on standard error. */
bool proof_read_file(const char *path, struct buf *out);

/* Asks for a receipt of what the seat was told last and adds it to the file of that match. Nothing
 * is said, and nothing waited for, where there is no connection. */
void receipts_keep(struct cli *cli, const char *match, const char *as);
/* Adds a receipt, the result of match.receipt, to the file of its match; warns on standard error
 * where it is not well signed, or by another key than before. */
void receipts_add(const struct keep *keep, const cJSON *receipt);
/* The file of receipts of a match: $XDG_CONFIG_HOME/vedette/receipts/MATCH.jsonl (else ~/.config).
 * False: the match has no name for a file, or the path is too long. */
bool receipts_path(const char *match, char *out, size_t bytes);

#endif
