#ifndef MEMPLAN_CORE_TEXT_STREAM_H
#define MEMPLAN_CORE_TEXT_STREAM_H

#include <stdio.h>

#include "core/text.h"

/* A file written through a text that is emptied again and again, for files that are larger than
   should be kept in memory. As with text_write_file the path holds all of it or what it held
   before: it is written beside and renamed at the end. */
struct text_stream {
    struct text text; /* append here */
    struct text beside;
    const char *path; /* borrowed */
    FILE *file;
};

/* Free it with text_stream_close in any case. */
enum status text_stream_open(struct text_stream *stream, const char *path, struct error *error);

/* Writes what was appended once it is worth it; call it every now and then. */
enum status text_stream_flush(struct text_stream *stream, struct error *error);

/* Writes the rest and renames when status is STATUS_OK, else removes what was written. Returns
   status or what went wrong. */
enum status text_stream_close(struct text_stream *stream, enum status status, struct error *error);

#endif
