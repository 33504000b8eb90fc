#ifndef MEMPLAN_CORE_GZIP_H
#define MEMPLAN_CORE_GZIP_H

#include "core/text.h"

/* Texts and files compressed by gzip. The same text gives the same bytes on every machine, since
   they hold no name and no time. */

/* Reads a compressed file and unpacks it; it may consist of several compressed parts, one after
   another. Fails as text_read_file does, and with STATUS_BAD_INPUT and the path where the file is
   damaged or cut off or holds more than 2 GiB. The caller frees *text, also after a failure. */
enum status gzip_read_file(const char *path, struct text *text, struct error *error);

/* Unpacks a raw deflate stream, without any header, into bytes[length]. *is_whole is false where it
   is damaged, or holds another number of bytes. */
enum status gzip_inflate_raw(const char *packed, size_t packed_bytes, char *bytes, size_t length,
                             bool *is_whole, struct error *error);

/* Appends the compressed text to *packed. A text of more than 2 GiB is STATUS_BAD_INPUT. */
enum status gzip_pack(const struct text *text, struct text *packed, struct error *error);

/* Replaces what path holds, see core/file.h. */
enum status gzip_write_file(const char *path, const struct text *text, struct error *error);

#endif
