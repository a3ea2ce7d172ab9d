/* tests/tools/case_main.c: `vedette-case`: the command `vedette case` without the rest of the
 * client. */
#include "client-cli/records/case.h"

int main(int argc, char **argv)
{
    return cli_case(argc - 1, argv + 1);
}
