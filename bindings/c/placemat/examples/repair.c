// Repairs a file, or standard input, to standard output, and says on standard error what it was and what changed: repair [FILE]
#include <inttypes.h>
#include <placemat.h>
#include <stdio.h>

static void write_text(void *data, const char *text, size_t length) { fwrite(text, 1, length, data); }

static void tell(void *data, const placemat_change *change) {
  (void)data;
  fprintf(stderr, "offset %" PRIu64 ", length %zu: \"%.*s\" (%.2f)\n", change->offset, change->before_length,
          (int)change->after_length, change->after, (double)change->confidence);
}

// Returns a file that can be read twice: a pipe is copied into a temporary one.
static FILE *rereadable(FILE *file) {
  if (!file || fseek(file, 0, SEEK_SET) == 0) return file;
  FILE *copy = tmpfile();
  char piece[4096];
  size_t length = 1;
  while (copy && length > 0) {
    length = fread(piece, 1, sizeof piece, file);
    if (fwrite(piece, 1, length, copy) != length) break;
  }
  fclose(file);
  return copy;
}

int main(int argc, char **argv) {
  FILE *file = rereadable(argc == 2 ? fopen(argv[1], "rb") : argc == 1 ? stdin : NULL);
  if (!file) {
    fprintf(stderr, "usage: repair [FILE]\n");
    return 2;
  }
  placemat_repair_settings settings = {0};
  settings.write = write_text;
  settings.data = stdout;
  settings.changed = tell;
  placemat_repairer *repairer = placemat_repairer_new(&settings);
  placemat_detector *detector = placemat_detector_new();
  // The first pass looks at the whole file, the second one repairs it.
  for (int pass = 0; pass < 2; pass++) {
    char piece[4096];
    size_t length;
    rewind(file);
    while ((length = fread(piece, 1, sizeof piece, file)) > 0) {
      if (pass == 0) {
        placemat_detector_feed(detector, piece, length);
        placemat_repairer_learn(repairer, piece, length);
      } else {
        placemat_repairer_push(repairer, piece, length);
      }
    }
  }
  placemat_repairer_finish(repairer);

  char name[64];
  placemat_detection found;
  placemat_encoding_name(placemat_detector_finish(detector, false, &found), name, sizeof name);
  fprintf(stderr, "%s, %.2f, %s\n", found.encoding ? name : "unknown", (double)found.confidence, found.language);
  placemat_detector_free(detector);
  placemat_repairer_free(repairer);
  fclose(file);
  return 0;
}
