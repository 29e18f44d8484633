/* Converts standard input by iconv(3): convert TO FROM. It knows of no library in particular. A byte that cannot be converted is
   shown as [xx] in its place; how many code points were transliterated goes to standard error. */
#include <errno.h>
#include <iconv.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static char in[5000], out[777];
    size_t have = 0, got, irreversible = 0, lost = 0;
    iconv_t cd;
    int ended = 0;
    setlocale(LC_ALL, "");
    if (argc != 3) {
        fprintf(stderr, "usage: convert TO FROM\n");
        return 2;
    }
    cd = iconv_open(argv[1], argv[2]);
    if (cd == (iconv_t)-1) {
        fprintf(stderr, "convert: no conversion from %s to %s\n", argv[2], argv[1]);
        return 1;
    }
    while (!ended || have > 0) {
        char *from = in, *to = out;
        size_t room = sizeof out, result;
        if (!ended) {
            got = fread(in + have, 1, sizeof in - have, stdin);
            have += got;
            ended = have < sizeof in;
        }
        result = iconv(cd, &from, &have, &to, &room);
        fwrite(out, 1, (size_t)(to - out), stdout);
        if (result != (size_t)-1) {
            irreversible += result;
        } else if (errno == EILSEQ || (errno == EINVAL && ended)) {
            printf("[%02x]", (unsigned char)*from);
            from++, have--, lost++;
        } else if (errno != E2BIG && errno != EINVAL) {
            perror("convert");
            return 1;
        }
        memmove(in, from, have);
    }
    for (;;) {
        char *to = out;
        size_t room = sizeof out;
        size_t result = iconv(cd, NULL, NULL, &to, &room);
        fwrite(out, 1, (size_t)(to - out), stdout);
        if (result != (size_t)-1) {
            break;
        }
        if (errno != E2BIG) {
            perror("convert");
            return 1;
        }
    }
    fflush(stdout);
    fprintf(stderr, "%lu transliterated, %lu bytes not converted\n", (unsigned long)irreversible, (unsigned long)lost);
    return iconv_close(cd) == 0 ? 0 : 1;
}
