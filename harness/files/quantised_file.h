#ifndef MEMPLAN_HARNESS_FILES_QUANTISED_FILE_H
#define MEMPLAN_HARNESS_FILES_QUANTISED_FILE_H

#include "core/text.h"
#include "quantise/quantise.h"

/* The quantised weights of a graph as an archive (harness/cache/archive.h) of two bodies:
   "weights", JSON with position and scale of each (memplan-quantised/1, docs/formats.md), and
   "values" (quantise/values.h). */

/* Writes the file. *bytes is its length. */
enum status quantised_file_write(const char *path, struct weight_source *source,
                                 const struct quantisation *quantisation, uint64_t *bytes,
                                 struct error *error);

/* What is known of a quantisation that was read from a file: the bits, and for each weight whether
   it was quantised, its elements, bytes and format. */
struct quantised_file {
    struct quantisation *quantisation;
    struct text values;
};

/* Reads the file that was written for this graph. STATUS_BAD_INPUT with the path where it is not
   such a file or belongs to another graph. The struct is zeroed and later cleared by the caller,
   also after an error. */
enum status quantised_file_read(const char *path, const struct graph *graph,
                                struct quantised_file *file, struct error *error);
void quantised_file_clear(struct quantised_file *file);

#endif
