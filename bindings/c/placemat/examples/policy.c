// Policies: a replacement of one's own, and a function that decides.
#include <placemat.h>
#include <stdio.h>
#include <string.h>

// Writes <c3> for each byte of an ill-formed sequence, and stops at the first error from an offset on.
static bool in_brackets(void *data, const placemat_error *error, char *text, size_t *length) {
  const uint64_t *stop = data;
  if (error->offset >= *stop) return false;
  size_t written = 0;
  for (uint32_t i = 0; i < error->byte_count && written + 4 < *length; i++)
    written += (size_t)snprintf(text + written, *length - written, "<%02x>", error->bytes[i]);
  *length = written;
  return true;
}

static void show(const placemat_policy *policy, const char *from, const char *to, const char *text) {
  placemat_encoding source = placemat_encoding_for_label(from, strlen(from));
  placemat_encoding target = placemat_encoding_for_label(to, strlen(to));
  char out[64];
  placemat_error error;
  placemat_progress progress =
      placemat_convert(source, target, policy, text, strlen(text), out, sizeof out, &error);
  printf("%.*s", (int)progress.written, out);
  if (progress.status != PLACEMAT_DONE) printf(" (%s: %s)", error.code, error.message);
  printf("\n");
}

int main(void) {
  placemat_policy policy = {0};
  show(&policy, "utf-8", "utf-8", "caf\xC3!");

  policy.on_error = PLACEMAT_REPLACE_WITH;
  policy.error_text = "[?]";
  policy.error_text_length = 3;
  show(&policy, "utf-8", "utf-8", "caf\xC3!");

  uint64_t stop = 10;
  policy.on_error = PLACEMAT_CALL;
  policy.callback = in_brackets;
  policy.data = &stop;
  show(&policy, "utf-8", "utf-8", "caf\xC3, na\xEFve, \xFF");

  // The euro sign is not in ASCII.
  policy = (placemat_policy){0};
  show(&policy, "utf-8", "us-ascii", "5 \xE2\x82\xAC");
  policy.on_unmappable = PLACEMAT_XML_REFERENCE;
  show(&policy, "utf-8", "us-ascii", "5 \xE2\x82\xAC");
  policy.on_unmappable = PLACEMAT_TRANSLITERATE;
  show(&policy, "utf-8", "us-ascii", "5 \xE2\x82\xAC");
  return 0;
}
