#ifndef MEMPLAN_CORE_GZIP_H
#define MEMPLAN_CORE_GZIP_H

#include "core/text.h"

/* Files compressed by gzip. The same text is the same bytes on every machine: they hold no name and
   no time. */

/* Reads what such a file holds, also of several parts one after the other. Fails with
   STATUS_BAD_INPUT and the path as text_read_file does, where the file is damaged or cut off, and
   where it holds more than 2 GiB. *text is the caller's to free, also after a failure. */
enum status gzip_read_file(const char *path, struct text *text, struct error *error);

/* Replaces what path holds, see core/file_replace.h. */
enum status gzip_write_file(const char *path, const struct text *text, struct error *error);

#endif
