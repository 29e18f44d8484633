// Replaces each OLD by NEW in a file, in the encoding of the file, to standard output: edit FILE OLD NEW
#include <placemat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *contents(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  size_t capacity = 0, got = 1;
  for (*length = 0; file && got > 0; *length += got) {
    capacity = 2 * capacity + 4096;
    bytes = realloc(bytes, capacity);
    got = bytes ? fread(bytes + *length, 1, capacity - *length, file) : 0;
  }
  if (file) fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  size_t length;
  char *bytes = argc == 4 ? contents(argv[1], &length) : NULL;
  if (!bytes) {
    fprintf(stderr, "usage: edit FILE OLD NEW\n");
    return 2;
  }
  // 0: the encoding is detected.
  placemat_document *document = placemat_document_open(bytes, length, 0);
  free(bytes);
  if (!document) {
    fprintf(stderr, "edit: the encoding is not certain\n");
    return 2;
  }
  char name[64];
  placemat_encoding_name(placemat_document_encoding(document), name, sizeof name);

  size_t old = strlen(argv[2]), at = 0;
  placemat_status status = PLACEMAT_DONE;
  while (old > 0 && status == PLACEMAT_DONE) {
    // A large file would be searched in parts.
    size_t rest = placemat_document_text_length(document) - at;
    char *text = calloc(rest + 1, 1);
    if (!text) break;
    placemat_document_text(document, at, at + rest, text, rest);
    char *found = strstr(text, argv[2]);
    at += found ? (size_t)(found - text) : rest;
    free(text);
    if (!found) break;

    placemat_error error;
    placemat_position position;
    placemat_document_position_of_text(document, at, &position);
    status = placemat_document_replace(document, at, at + old, argv[3], strlen(argv[3]), NULL, &error);
    fprintf(stderr, "%s, line %zu: %s\n", name, position.line + 1, status == PLACEMAT_DONE ? "replaced" : error.message);
    at += strlen(argv[3]);
  }

  length = placemat_document_length(document);
  bytes = malloc(length + 1);
  if (bytes && placemat_document_bytes(document, bytes, length) == PLACEMAT_DONE) fwrite(bytes, 1, length, stdout);
  free(bytes);
  placemat_document_free(document);
  return status == PLACEMAT_DONE ? 0 : 1;
}
