/* Loads the library, uses it, and unloads it, a thousand times. Argument: its path. */
#include "test.h"

int main(int argc, char **argv) {
    long before = 0;
    void *kept = NULL;
    if (argc != 2) return 2;
    for (int i = 0; i < 1000; i++) {
        void *handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!handle) {
            fprintf(stderr, "%s\n", dlerror());
            return 2;
        }
        struct library l;
        *(void **)&l.open = dlsym(handle, "iconv_open");
        *(void **)&l.convert = dlsym(handle, "iconv");
        *(void **)&l.close = dlsym(handle, "iconv_close");
        /* A text that is worth making tables. */
        iconv_t cd = l.open("GBK", "UTF-8");
        static char src[6000], dst[4000];
        for (size_t k = 0; k < sizeof src; k += 3) memcpy(src + k, "\xE6\x97\xA5", 3);
        char *in = src, *out = dst;
        size_t left = sizeof src, room = sizeof dst;
        CHECK(l.convert(cd, &in, &left, &out, &room) == 0 && room == 0, "round %d", i);
        for (size_t k = 0; k < sizeof dst; k += 2) CHECK(memcmp(dst + k, "\xC8\xD5", 2) == 0, "round %d, %zu", i, k);
        /* The next library is found for a library that is loaded in this way, too. */
        if (i == 0) {
            struct library b = {iconv_open, iconv, iconv_close};
            static const char *const names[] = {"TSCII", "ISO_6937", "INIS-8", "T.61"};
            for (int k = 0; k < 4; k++) {
                iconv_t x = l.open("UTF-8", names[k]), y = b.open("UTF-8", names[k]);
                CHECK((x == FAILED) == (y == FAILED), "%s", names[k]);
                if (x != FAILED) l.close(x);
                if (y != FAILED) b.close(y);
            }
        }
        /* Some programs forget to close. The handle stays open. */
        if (kept) CHECK(l.close(kept) == 0, "round %d: the handle of the round before", i);
        kept = cd;
        CHECK(dlclose(handle) == 0, "round %d", i);
        if (i == 99) before = memory();
    }
    long after = memory();
    CHECK(after - before < 256, "%ld KiB more", after - before);
    return failures != 0;
}
