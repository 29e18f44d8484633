/* Handles: closed ones, foreign ones, many, and those of before main, across fork and in threads. */
#include "test.h"
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

/* Closed handles are used on purpose. */
#pragma GCC diagnostic ignored "-Wuse-after-free"

static iconv_t early = FAILED;

/* Runs before main, and before most constructors of libraries. */
__attribute__((constructor(101))) static void before_main(void) {
    early = iconv_open("UTF-16LE", "ISO-8859-1");
}

/* Converts "aé" from Latin-1 to UTF-16LE. */
static int works(iconv_t cd) {
    char src[] = "a\xE9", dst[16] = {0}, *in = src, *out = dst;
    size_t left = 2, room = sizeof dst;
    return iconv(cd, &in, &left, &out, &room) == 0 && memcmp(dst, "a\0\xE9\0", 5) == 0 && room == 12;
}

static void is_bad(iconv_t cd, const char *which) {
    char src[] = "a", dst[4], *in = src, *out = dst;
    size_t left = 1, room = sizeof dst;
    errno = 0;
    CHECK(iconv(cd, &in, &left, &out, &room) == (size_t)-1 && errno == EBADF && left == 1, "%s: iconv", which);
    errno = 0;
    CHECK(iconv_close(cd) == -1 && errno == EBADF, "%s: iconv_close", which);
}

static void bad_handles(void) {
    is_bad(FAILED, "-1");
    is_bad(NULL, "NULL");
    iconv_t cd = iconv_open("UTF-16LE", "ISO-8859-1");
    CHECK(works(cd), "an open one");
    /* Addresses within it, and those of slots that were never open. */
    for (uintptr_t i = 1; i < 64; i += 7) is_bad((iconv_t)((uintptr_t)cd + i), "an address within a handle");
    errno = 4242;
    CHECK(iconv_close(cd) == 0 && errno == 4242, "closing");
    is_bad(cd, "a closed one");
}

static void many(void) {
    enum { MANY = 5000 };
    static iconv_t all[MANY];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            all[i] = iconv_open("UTF-16LE", "ISO-8859-1");
            CHECK(all[i] != FAILED, "handle %d", i);
        }
        for (int i = 0; i < MANY; i++) {
            CHECK(works(all[i]), "handle %d", i);
            for (int k = 1; k < 4 && k <= i; k++) CHECK(all[i] != all[i - k], "handle %d twice", i);
        }
        /* Not in the order of opening. */
        for (int i = 0; i < MANY; i++) CHECK(iconv_close(all[i * 7 % MANY]) == 0, "handle %d", i * 7 % MANY);
        is_bad(all[MANY / 2], "a closed one of many");
    }
}

/* A handle of glibc, opened without this library, as glibc's program iconv does. */
static void foreign(struct library b) {
    iconv_t cd = b.open("UTF-16LE", "ISO-8859-1");
    CHECK(works(cd), "glibc's handle");
    CHECK(iconv_close(cd) == 0, "glibc's handle");
}

static void across_fork(void) {
    iconv_t cd = iconv_open("UTF-16LE", "ISO-8859-1");
    pid_t child = fork();
    if (child == 0) {
        iconv_t another = iconv_open("UTF-16LE", "ISO-8859-1");
        _exit(!(works(cd) && works(another) && iconv_close(cd) == 0 && iconv_close(another) == 0));
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0, "the child: status %d", status);
    CHECK(works(cd), "the parent's handle after the child has closed its own");
    iconv_close(cd);
}

int main(void) {
    struct library b = glibc();
    ours();
    CHECK(works(early), "the handle of before main");
    CHECK(iconv_close(early) == 0, "the handle of before main");
    bad_handles();
    many();
    foreign(b);
    across_fork();
    return failures != 0;
}
