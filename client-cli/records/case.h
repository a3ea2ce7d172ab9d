/* client-cli/records/case.h: the command `vedette case`. */
#ifndef VEDETTE_CLIENT_CLI_RECORDS_CASE_H
#define VEDETTE_CLIENT_CLI_RECORDS_CASE_H

/* Runs the files argv[0..argc-1] (without the command's name): a line a case, then "N passed, N
 * failed". Returns the exit status: 0, 1 if any failed, 2 without a file. */
int cli_case(int argc, char **argv);

#endif
