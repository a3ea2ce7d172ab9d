#include "client-cli/text.h"

#include <string.h>

size_t text_control(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] == '\0') { return 0; }
    if (c[0] < 0x20 || c[0] == 0x7f) { return 1; }
    if (c[0] == 0xc2) { return c[1] >= 0x80 && c[1] < 0xa0 ? 2 : 0; }
    if (c[0] != 0xe2) { return 0; }
    bool turns = (c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae) || /* U+2028 to U+202E */
                 (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9);   /* U+2066 to U+2069 */
    return turns ? 3 : 0;
}

void text_clean(char *text, bool lines)
{
    while (*text != '\0') {
        size_t n = lines && *text == '\n' ? 0 : text_control(text);
        memset(text, ' ', n);
        text += n == 0 ? 1 : n;
    }
}
