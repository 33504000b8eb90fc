#ifndef MEMPLAN_DATASETS_CSV_PROBLEM_H
#define MEMPLAN_DATASETS_CSV_PROBLEM_H

#include "core/text.h"
#include "datasets/csv/dialect.h"
#include "planning/plan/plan.h"
#include "planning/problem/fixed_offsets.h"
#include "planning/problem/problem.h"

/* MiniMalloc's CSV (google/minimalloc, src/converter.cc), see docs/formats.md. Unlike its own
   reader this one skips blank lines and spaces around fields, understands CR LF, and refuses what
   can only be a mistake: unknown columns, empty lifetimes, size 0, an id that is used twice. Times
   may be clocks as OmniMalloc writes them, which are resolved (planning/problem/clocks_resolve.h).
   One line before the header may be a comment, "# " and the problem's note. */

struct problem_csv_options {
    enum fixed_offsets offsets; /* of the column offset, whose numbers are checked in any case */
    const struct csv_dialect *dialect; /* NULL: MiniMalloc's own */
    enum csv_lifetimes lifetimes;      /* CSV_LIFETIMES_BY_HEADER: as the dialect says */
};

/* Reads a problem named after the file (no folder, no extension). options may be NULL. The caller
   frees it with problem_free. Fails with STATUS_BAD_INPUT, file and line. */
enum status problem_csv_read(const struct text *text, const char *file,
                             const struct problem_csv_options *options, struct problem **problem,
                             struct error *error);

/* Appends the columns id,lower,upper,size and those of alignment, hint, gaps and offset that are
   used, with the conflict steps as if they were time steps. Fails with STATUS_BAD_INPUT for names
   that such a file cannot hold: empty, used twice, or with a comma, a quote, a line break or blanks
   at an end. */
enum status problem_csv_write(const struct problem *problem, struct text *text,
                              struct error *error);

/* Does the same after a line "# note" with the problem's note, if it has one, and with clocks as
   times, if it has them. This is for files of our own, since most other readers of the format know
   neither comments nor clocks. */
enum status problem_csv_write_noted(const struct problem *problem, struct text *text,
                                    struct error *error);

/* Writes a plan that was found: the same columns without the note, and the offsets. Where the plan
   splits buffers there is a column extents, and such a buffer has "offset+length;offset+length"
   there and no offset. */
enum status problem_csv_write_plan(const struct problem *problem, const struct plan *plan,
                                   struct text *text, struct error *error);
/* Writes a plan in several memories, whose offsets are addresses (planning/memories/address.h): a
   column memory has the name of each. Only for other programs to read. */
enum status problem_csv_write_in_memories(const struct problem *problem, const struct plan *plan,
                                          const struct names *memories, struct text *text,
                                          struct error *error);

/* Fills a plan created for the problem: offsets, the peak, PLAN_FEASIBLE. Rows are matched by id
   and may come in any order. Fails with STATUS_BAD_INPUT and the line when a row names no buffer of
   the problem or differs from its buffer in size, lower or upper; when a buffer comes twice or not
   at all; when a row has neither an offset nor extents; and when a buffer ends beyond 2^63 - 1.
   Clocks are compared only where those of the problem have as many streams as the row's. Whether
   the plan is valid is not checked. */
enum status problem_csv_read_plan(const struct text *text, const char *file,
                                  const struct problem *problem, struct plan *plan,
                                  struct error *error);

/* Adds the ids of all rows to names. Fails like problem_csv_read where the file cannot be read. */
enum status problem_csv_read_ids(const struct text *text, const char *file, struct names *ids,
                                 struct error *error);

#endif
