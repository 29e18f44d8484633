/* Eight threads that open, use and close handles, in memory that does not grow. Argument: how often each opens one. */
#include "test.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, HELD = 16 };

static long openings;
static const char *const TO[] = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "ISO-8859-1"};
static const char *const EXPECTED[] = {"a\0\xE9", "\0a\0\xE9", "a\0\0\0\xE9\0\0", "a\xE9"};
static const size_t LEN[] = {4, 4, 8, 2};

/* Whether the handle is for the encoding that it was opened for: not one of another thread. */
static int works(iconv_t cd, int to) {
    char src[] = "a\xC3\xA9", dst[16], *in = src, *out = dst;
    size_t left = 3, room = sizeof dst;
    return iconv(cd, &in, &left, &out, &room) == 0 && room == sizeof dst - LEN[to] && memcmp(dst, EXPECTED[to], LEN[to]) == 0;
}

static void *thread(void *argument) {
    iconv_t held[HELD];
    int to[HELD];
    long wrong = 0;
    unsigned random = 1 + (unsigned)(size_t)argument;
    for (int i = 0; i < HELD; i++) held[i] = FAILED;
    for (long i = 0; i < openings; i++) {
        random = random * 1103515245 + 12345;
        int at = (int)(random >> 16) % HELD;
        if (held[at] != FAILED) {
            wrong += !works(held[at], to[at]);
            wrong += iconv_close(held[at]) != 0;
        }
        to[at] = (int)(random >> 24) % 4;
        held[at] = iconv_open(TO[to[at]], "UTF-8");
        wrong += held[at] == FAILED;
    }
    for (int i = 0; i < HELD; i++) {
        if (held[i] != FAILED) wrong += !works(held[i], to[i]) + (iconv_close(held[i]) != 0);
    }
    return (void *)wrong;
}

static void all_threads(long n, int forks) {
    pthread_t threads[THREADS];
    openings = n;
    for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, thread, (void *)i);
    /* A child has one thread; what the others were doing must not hinder it. */
    for (int i = 0; i < forks; i++) {
        pid_t child = fork();
        if (child == 0) {
            iconv_t cd = iconv_open(TO[0], "UTF-8");
            _exit(!(works(cd, 0) && iconv_close(cd) == 0));
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && status == 0, "child %d: status %d", i, status);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        CHECK(!wrong, "thread %zu: %ld wrong", i, (long)wrong);
    }
}

int main(int argc, char **argv) {
    ours();
    long n = argc > 1 ? atol(argv[1]) : 1000000;
    all_threads(n / 10 + HELD, argc > 2 ? 0 : 20);
    long before = memory();
    all_threads(n, 0);
    long after = memory();
    /* Stacks and the arenas of malloc take some. */
    CHECK(argc > 2 || after - before < 1024, "%ld KiB more after %ld openings", after - before, n * THREADS);
    return failures != 0;
}
