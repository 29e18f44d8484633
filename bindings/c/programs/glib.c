/* Converts standard input with GLib, line by line: glib TO FROM FALLBACK. Writes each line's result, or what GLib says of it. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

static void show(const char *what, gchar *text, gsize read, gsize written, GError *error) {
    printf("%s %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT " ", what, read, written);
    if (text != NULL) {
        fwrite(text, 1, written, stdout);
    } else {
        printf("error %d", error->code);
        g_error_free(error);
    }
    putchar('\n');
    g_free(text);
}

int main(int argc, char **argv) {
    char line[65536];
    GIConv cd;
    if (argc != 4) {
        fprintf(stderr, "usage: glib TO FROM FALLBACK\n");
        return 2;
    }
    cd = g_iconv_open(argv[1], argv[2]);
    if (cd == (GIConv)-1) {
        fprintf(stderr, "glib: no conversion from %s to %s\n", argv[2], argv[1]);
        return 1;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        gsize read = 0, written = 0;
        GError *error = NULL;
        gssize len = (gssize)strcspn(line, "\n");
        gchar *text = g_convert(line, len, argv[1], argv[2], &read, &written, &error);
        show("g_convert", text, read, written, error);
        error = NULL, read = written = 0;
        text = g_convert_with_iconv(line, len, cd, &read, &written, &error);
        show("g_convert_with_iconv", text, read, written, error);
        error = NULL, read = written = 0;
        text = g_convert_with_fallback(line, len, argv[1], argv[2], argv[3], &read, &written, &error);
        show("g_convert_with_fallback", text, read, written, error);
    }
    return g_iconv_close(cd);
}
