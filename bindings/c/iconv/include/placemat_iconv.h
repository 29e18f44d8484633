/* libplacemat_iconv: the names of GNU libiconv, over placemat. <iconv.h> beside this file, in the folder placemat/, gives the
 * same functions the names of iconv(3).
 *
 * Licence: MIT or Apache-2.0, at your choice. */

#ifndef PLACEMAT_ICONV_H
#define PLACEMAT_ICONV_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of GNU libiconv whose interface this is, major times 256 plus minor: 1.17. */
#define _LIBICONV_VERSION 0x0111
extern const int _libiconv_version;

/* A conversion. One thread at a time uses it. */
typedef void *libiconv_t;

/* Opens a conversion from the encoding `from` to the encoding `to`. A name may be followed by //TRANSLIT, which writes similar
 * text for what the target cannot represent, or by //IGNORE, which leaves it out.
 * Returns (libiconv_t)-1 if there is none; errno is then EINVAL (a name is unknown) or ENOMEM. */
libiconv_t libiconv_open(const char *to, const char *from);

/* Converts from *in on, at most *in_left bytes, to *out on, at most *out_left bytes, and moves all four. If `in` or *in is null,
 * it writes what ends the text and goes back to the start of a text.
 * Returns the number of characters for which others stand; (size_t)-1 if it stopped before the end of the input, and errno says
 * why: EILSEQ (*in is at a sequence that is ill-formed or that the target cannot represent), EINVAL (*in is at a sequence that
 * the input truncates), E2BIG (*out has no room for the next character), EBADF (no such conversion). */
size_t libiconv(libiconv_t conversion, char **in, size_t *in_left, char **out, size_t *out_left);

/* Closes a conversion. Returns 0; or -1 with EBADF in errno if there is no such conversion. */
int libiconv_close(libiconv_t conversion);

/* Memory of a program whose address, as a libiconv_t, is a conversion. */
typedef struct { void *reserved[29]; } iconv_allocation_t;

/* Opens a conversion whose value is the address of `memory`. Nothing is stored there: the conversion stays until it is closed, or
 * the same memory is given again. Returns 0; or -1 with errno as for libiconv_open. */
int libiconv_open_into(const char *to, const char *from, iconv_allocation_t *memory);
int iconv_open_into(const char *to, const char *from, iconv_allocation_t *memory);

/* The requests of libiconvctl, and the argument of each. */
#define ICONV_TRIVIALP 0          /* int *: set to 1 if both encodings are the same, else to 0 */
#define ICONV_GET_TRANSLITERATE 1 /* int *: set to 1 with //TRANSLIT, else to 0 */
#define ICONV_SET_TRANSLITERATE 2 /* const int *: not 0 for //TRANSLIT from now on */
#define ICONV_GET_DISCARD_ILSEQ 3 /* int *: set to 1 with //IGNORE, else to 0 */
#define ICONV_SET_DISCARD_ILSEQ 4 /* const int *: not 0 for //IGNORE from now on */
#define ICONV_SET_HOOKS 5         /* NULL. There are no hooks: another argument is an error. */
#define ICONV_SET_FALLBACKS 6     /* NULL. There are no fallbacks: another argument is an error. */

/* Asks for an option of a conversion or sets it. Returns 0; or -1 with errno: EINVAL (a request that is not supported), EBADF (no
 * such conversion). */
int libiconvctl(libiconv_t conversion, int request, void *argument);
int iconvctl(libiconv_t conversion, int request, void *argument);

/* Calls `each` with the names of every encoding, of which the first is that of iconv_canonicalize, until it returns another value
 * than 0. The names are valid until it returns. */
void libiconvlist(int (*each)(unsigned int count, const char *const *names, void *data), void *data);
void iconvlist(int (*each)(unsigned int count, const char *const *names, void *data), void *data);

/* The name that all names of an encoding share; `name` itself if there is none. It is valid until the process ends. */
const char *iconv_canonicalize(const char *name);

/* Does nothing, as the library reads no files. */
void libiconv_set_relocation_prefix(const char *old_prefix, const char *new_prefix);

#ifdef __cplusplus
}
#endif

#endif /* PLACEMAT_ICONV_H */
