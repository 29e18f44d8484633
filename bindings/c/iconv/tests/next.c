/* A library with an iconv(3) of its own, which the dynamic linker searches after the one under test. Its handles cannot be read through. */
#include <errno.h>
#include <iconv.h>
#include <string.h>
#include <unistd.h>

#define HANDLE ((iconv_t)0x10)

static void say(const char *text) {
    if (write(1, text, strlen(text)) < 0) _exit(3);
}

iconv_t iconv_open(const char *to, const char *from) {
    say("open ");
    say(to);
    say(" ");
    say(from);
    say("\n");
    if (strncmp(from, "X-", 2) == 0 || strncmp(from, "UTF-8", 5) == 0) return HANDLE;
    errno = ENOENT;
    return (iconv_t)-1;
}

size_t iconv(iconv_t cd, char **in, size_t *left, char **out, size_t *room) {
    (void)in, (void)left, (void)out, (void)room;
    say(cd == HANDLE ? "convert\n" : "convert another's handle\n");
    return 7;
}

int iconv_close(iconv_t cd) {
    say(cd == HANDLE ? "close\n" : "close another's handle\n");
    return 0;
}
