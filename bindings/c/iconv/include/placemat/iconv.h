/* iconv(3) by the functions of libplacemat_iconv that have the names of GNU libiconv: they behave as those do where it and the C
 * library of the system differ. The flags of `pkg-config --cflags placemat-iconv` put this file before the system's.
 *
 * With LIBICONV_PLUG defined, the functions have the names of iconv(3) in the object file too, and behave as glibc's.
 *
 * Licence: MIT or Apache-2.0, at your choice. */

#ifndef PLACEMAT_ICONV_ICONV_H
#define PLACEMAT_ICONV_ICONV_H

#include "../placemat_iconv.h"

#define iconv_t libiconv_t

#ifndef LIBICONV_PLUG
#define iconv_open libiconv_open
#define iconv libiconv
#define iconv_close libiconv_close
#define iconvctl libiconvctl
#define iconvlist libiconvlist
#define iconv_open_into libiconv_open_into
#else

#ifdef __cplusplus
extern "C" {
#endif

iconv_t iconv_open(const char *to, const char *from);
size_t iconv(iconv_t conversion, char **in, size_t *in_left, char **out, size_t *out_left);
int iconv_close(iconv_t conversion);

#ifdef __cplusplus
}
#endif

#endif /* LIBICONV_PLUG */

#endif /* PLACEMAT_ICONV_ICONV_H */
