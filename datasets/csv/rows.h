#ifndef MEMPLAN_DATASETS_CSV_ROWS_H
#define MEMPLAN_DATASETS_CSV_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/text.h"
#include "datasets/csv/dialect.h"
#include "planning/plan/extents.h"
#include "planning/plan/storage_ids.h"
#include "planning/problem/problem.h"

/* The rows of a MiniMalloc CSV file as numbers, for the readers of problems and of plans; and the
   fields of a row, with what is said of one that is wrong. */

enum csv_column {
    CSV_ID,
    CSV_LOWER,
    CSV_UPPER,
    CSV_SIZE,
    CSV_ALIGNMENT,
    CSV_HINT,
    CSV_GAPS,
    CSV_OFFSET,
    CSV_EXTENTS,
    CSV_STORAGE_ID,
    CSV_COLUMNS,
};

/* A part of the file without blanks at its ends. */
struct csv_field {
    const char *start;
    size_t length;
};

/* [lower, upper) of a lifetime in which a buffer is not used (window false) or uses only the bytes
   [window_lower, window_upper) of itself. */
struct csv_gap {
    uint32_t lower, upper;
    bool window;
    uint64_t window_lower, window_upper;
};

struct csv_row {
    unsigned line;
    char *id; /* valid until the next row */
    uint32_t lower, upper;
    /* Number of streams of the clock that replaces lower and upper; 0 without a clock. */
    uint32_t streams;
    uint32_t *clock;          /* [2 * streams] start, then end */
    uint64_t size, alignment; /* the size is 0 where it is an expression: */
    struct csv_field expression;
    int64_t hint; /* -1 for none */
    bool has_offset;
    uint64_t offset;
    struct csv_gap *gap; /* [gaps] ascending, inside the lifetime, not overlapping */
    uint32_t gaps;
    /* [extents] ascending in the position within the buffer; none where it is not split */
    struct extent *extent;
    uint32_t extents;
    uint64_t storage_id; /* STORAGE_IDS_NONE for none */
};

/* A file of which one row after another is read. */
struct csv_rows {
    const struct text *text;
    const char *file;
    struct text_line line;
    struct csv_field note; /* a comment before the header; start is NULL where there is none */
    uint32_t fields;       /* in the header */
    int32_t column[CSV_COLUMNS]; /* number of the field that holds it, -1 for none */
    /* Ranges "n=1..16 m=1..4" behind the heading of sizes, which are expressions then; empty where
       sizes are numbers. */
    struct csv_field parameters;
    bool inclusive;          /* the header has a column end instead of upper */
    bool open;               /* neither of the two times belongs to the lifetime */
    struct csv_field *field; /* [fields] of the present line */
    struct csv_row row;
    unsigned *buffer_line; /* [buffers] the line of each buffer that was noted */
    uint32_t buffers;
    size_t field_capacity, id_capacity, clock_capacity, gap_capacity, extent_capacity,
        line_capacity;
};

/* Reads the header, before which one comment line is allowed. text and file are borrowed. Fails
   with STATUS_BAD_INPUT and the line. The rows are to be freed even after an error. */
enum status csv_rows_open(const struct text *text, const char *file, struct csv_rows *rows,
                          struct error *error);

/* Does the same for a file whose columns are id, lower, upper, size, whatever names its header
   has. */
enum status csv_rows_open_positional(const struct text *text, const char *file,
                                     enum csv_lifetimes lifetimes, struct csv_rows *rows,
                                     struct error *error);

/* Sets what the times mean, whatever the header says. */
void csv_rows_set_lifetimes(struct csv_rows *rows, enum csv_lifetimes lifetimes);

/* Reads and checks the next row into rows->row; *found is false at the end. */
enum status csv_rows_next(struct csv_rows *rows, bool *found, struct error *error);
void csv_rows_free(struct csv_rows *rows);

/* If a call of problem_* for the present line has failed, adds the line to its error; returns the
   status. */
enum status csv_rows_place(const struct csv_rows *rows, enum status status, struct error *error);

/* Notes that the next buffer of the problem is on the present line. */
enum status csv_rows_note_buffer(struct csv_rows *rows, struct error *error);
/* Finishes the problem whose buffers were all noted; an error is reported at the line of its
   buffer. */
enum status csv_rows_finish(const struct csv_rows *rows, struct problem *problem,
                            struct error *error);

/* Fails with STATUS_BAD_INPUT at the present line. */
enum status csv_fields_fail(const struct csv_rows *rows, struct error *error, const char *format,
                            ...) __attribute__((format(printf, 3, 4)));

/* The numbers that a field may hold; `what` is its name in messages. */
struct csv_range {
    const char *what;
    uint64_t least, most;
};

/* Reads the number in a field and checks its range. */
enum status csv_field_number(const struct csv_rows *rows, struct csv_field field,
                             struct csv_range range, uint64_t *number, struct error *error);

/* How many bytes of a field a message shows. */
int csv_field_shown(struct csv_field field);

/* The part of a text without the blanks at both ends. */
struct csv_field csv_field_trim(const char *start, size_t length);

/* Cuts the part before the separator off *rest; the last part leaves rest->start NULL. False where
   nothing was left. */
bool csv_field_cut(struct csv_field *rest, char separator, struct csv_field *part);

/* Goes to the next line that is not blank. */
bool csv_rows_next_line(struct csv_rows *rows);

/* lists.c: fields that hold several numbers, read into the row, whose lifetime is there
   for gaps. */
enum status csv_rows_read_clock(struct csv_rows *rows, struct csv_field lower,
                                struct csv_field upper, struct error *error);
enum status csv_rows_read_extents(struct csv_rows *rows, struct csv_field field,
                                  struct error *error);
enum status csv_rows_read_gaps(struct csv_rows *rows, struct csv_field field, struct error *error);

#endif
