/* What the tests share: checks, and glibc's own functions, which judge the library in the same process. */
#ifndef TEST_H
#define TEST_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILED ((iconv_t)-1)

static int failures;

#define CHECK(condition, ...)                                          \
    do {                                                               \
        if (!(condition)) {                                            \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                              \
            fputc('\n', stderr);                                       \
            failures++;                                                \
        }                                                              \
    } while (0)

/* The functions of iconv(3) in one library. */
struct library {
    iconv_t (*open)(const char *to, const char *from);
    size_t (*convert)(iconv_t, char **, size_t *, char **, size_t *);
    int (*close)(iconv_t);
};

/* Those that this program calls: they have to be placemat's. */
static inline struct library ours(void) {
    Dl_info info;
    if (!dladdr((void *)iconv_open, &info) || !strstr(info.dli_fname, "libplacemat_iconv")) {
        fprintf(stderr, "iconv_open is that of %s: preload libplacemat_iconv.so, or link with it\n", info.dli_fname);
        exit(2);
    }
    return (struct library){iconv_open, iconv, iconv_close};
}

/* The functions of glibc. */
static inline struct library glibc(void) {
    void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    struct library library = {0};
    if (libc) {
        *(void **)&library.open = dlsym(libc, "iconv_open");
        *(void **)&library.convert = dlsym(libc, "iconv");
        *(void **)&library.close = dlsym(libc, "iconv_close");
    }
    if (!library.open || library.open == iconv_open) {
        fprintf(stderr, "glibc's iconv is not to be found\n");
        exit(2);
    }
    return library;
}

/* The memory of this process that is not shared, in KiB. */
static inline long memory(void) {
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long sum = 0, n;
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "Private_Dirty: %ld", &n) == 1 || sscanf(line, "Private_Clean: %ld", &n) == 1) sum += n;
    }
    if (file) fclose(file);
    return sum;
}
#endif
