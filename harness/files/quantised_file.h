#ifndef MEMPLAN_HARNESS_FILES_QUANTISED_FILE_H
#define MEMPLAN_HARNESS_FILES_QUANTISED_FILE_H

#include "core/text.h"
#include "dma/quantise/quantise.h"

/* The quantised weights of a graph as an archive (harness/cache/archive.h) of two bodies:
   "weights", JSON with position and scale of each (memplan-quantised/1, docs/formats.md), and
   "values" (dma/quantise/values.h). */

/* Writes the file as a whole. *bytes is what it takes. */
enum status quantised_file_write(const char *path, struct weight_source *source,
                                 const struct quantisation *quantisation, uint64_t *bytes,
                                 struct error *error);

/* Of a quantisation that was read there are the bits, and of each weight whether it was quantised,
   its elements, bytes and format. */
struct quantised_file {
    struct quantisation *quantisation;
    struct text values;
};

/* Reads a file for the graph it was written for. STATUS_BAD_INPUT with the path where it is none,
   or none of this graph. The caller clears it, zeroed before, also after an error. */
enum status quantised_file_read(const char *path, const struct graph *graph,
                                struct quantised_file *file, struct error *error);
void quantised_file_clear(struct quantised_file *file);

#endif
