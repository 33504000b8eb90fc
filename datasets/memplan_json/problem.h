#ifndef MEMPLAN_DATASETS_MEMPLAN_JSON_PROBLEM_H
#define MEMPLAN_DATASETS_MEMPLAN_JSON_PROBLEM_H

#include "core/digest.h"
#include "core/text.h"
#include "planning/problem/fixed_offsets.h"
#include "planning/problem/problem.h"

/* The problem format memplan-problem/1, see docs/formats.md. */

#define PROBLEM_JSON_FORMAT "memplan-problem/1"

struct json_document;

/* Reads a problem; names are unique. Clocks are resolved, see planning/problem/clocks_resolve.h.
   Segments that adjoin and use the same window become one. The caller frees it with problem_free.
   Fails with STATUS_BAD_INPUT, file and line. */
enum status problem_json_read(const struct text *text, const char *file, enum fixed_offsets offsets,
                              struct problem **problem, struct error *error);

/* Reads the problem from a document that was read already. */
enum status problem_json_read_document(const struct json_document *document,
                                       enum fixed_offsets offsets, struct problem **problem,
                                       struct error *error);

/* Appends the problem to text, one line per buffer, the same bytes for the same problem. Steps from
   line_end on become "conflicts": all pairs of buffers that conflict there and not in time, so that
   problems with the same pairs give equal texts, whatever their conflict steps. A problem with
   clocks is written with its clocks instead. Fails when a name is not UTF-8. */
enum status problem_json_write(const struct problem *problem, struct text *text,
                               struct error *error);

/* The digest of a text without name and note, and with pairs in place of clocks: equal digests mean
   equal problems, whatever they are called. Where there are too many pairs to be listed, the text
   has the clocks. It is made piece by piece, since for ten million buffers it is larger than the
   problem. */
enum status problem_json_digest(const struct problem *problem, char digest[DIGEST_TEXT_BYTES],
                                struct error *error);

#endif
