#ifndef MEMPLAN_DATASETS_CSV_ROWS_H
#define MEMPLAN_DATASETS_CSV_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/text.h"
#include "datasets/csv/dialect.h"
#include "planning/plan/extents.h"
#include "planning/plan/storage_ids.h"
#include "planning/problem/problem.h"

/* The rows of a MiniMalloc CSV file as numbers: what its readers of problems and of plans share. */

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

/* A part of the file, without the blanks around it. */
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
    uint32_t streams; /* of the clock that stands instead of lower and upper; 0 without one */
    uint32_t *clock;  /* [2 * streams] start, then end */
    uint64_t size, alignment;
    int64_t hint; /* -1 for none */
    bool has_offset;
    uint64_t offset;
    struct csv_gap *gap; /* [gaps] ascending, inside the lifetime, not overlapping */
    uint32_t gaps;
    struct extent *extent; /* [extents] in rising position in the buffer; none where not split */
    uint32_t extents;
    uint64_t storage_id; /* STORAGE_IDS_NONE for none */
};

struct csv_rows {
    const struct text *text;
    const char *file;
    struct text_line line;
    struct csv_field note;       /* of a comment before the header; start NULL without one */
    uint32_t fields;             /* in the header */
    int32_t column[CSV_COLUMNS]; /* field that holds it, -1 for none */
    bool inclusive;              /* the header says end, not upper */
    bool open;                   /* neither time is part of the lifetime */
    struct csv_field *field;     /* [fields] of the line looked at */
    struct csv_row row;
    unsigned *buffer_line; /* [buffers] whose line was noted */
    uint32_t buffers;
    size_t field_capacity, id_capacity, clock_capacity, gap_capacity, extent_capacity,
        line_capacity;
};

/* Reads the header, which one comment line may precede. text and file are borrowed. Fails with
   STATUS_BAD_INPUT and the line; free it in any case. */
enum status csv_rows_open(const struct text *text, const char *file, struct csv_rows *rows,
                          struct error *error);

/* The same for a file whose columns are id, lower, upper, size, whatever its header calls them. */
enum status csv_rows_open_positional(const struct text *text, const char *file,
                                     enum csv_lifetimes lifetimes, struct csv_rows *rows,
                                     struct error *error);

/* What the times mean, whatever the header says. */
void csv_rows_set_lifetimes(struct csv_rows *rows, enum csv_lifetimes lifetimes);

/* Reads and checks the next row into rows->row; *found is false at the end. */
enum status csv_rows_next(struct csv_rows *rows, bool *found, struct error *error);
void csv_rows_free(struct csv_rows *rows);

/* Fails at the line looked at. */
enum status csv_rows_fail(const struct csv_rows *rows, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the status of what problem_* was told of the line looked at, and places its fault there.
 */
enum status csv_rows_place(const struct csv_rows *rows, enum status status, struct error *error);

/* The next buffer of the problem that is read is the one of the line looked at. */
enum status csv_rows_note_buffer(struct csv_rows *rows, struct error *error);
/* Finishes that problem, each of whose buffers was noted; a fault is placed at its buffer's line.
 */
enum status csv_rows_finish(const struct csv_rows *rows, struct problem *problem,
                            struct error *error);

/* Parses a gaps field into row->gap; csv_rows_next does it for each row. */
enum status csv_gaps_read(struct csv_rows *rows, struct csv_field field, struct error *error);

/* Whether a time is written as a clock, with a colon between its components. */
bool csv_clock_is(struct csv_field field);

/* Parses the two times of a row, "3:0:7", into row->clock; csv_rows_next does it for each row. */
enum status csv_clock_read(struct csv_rows *rows, struct csv_field lower, struct csv_field upper,
                           struct error *error);

/* Parses "offset+length;offset+length" into row->extent; csv_rows_next does it for each row. */
enum status csv_extents_read(struct csv_rows *rows, struct csv_field field, struct error *error);

/* What a field may hold; `what` names it in messages. */
struct csv_range {
    const char *what;
    uint64_t least, most;
};

/* The field is a number of the range. */
enum status csv_rows_number(const struct csv_rows *rows, struct csv_field field,
                            struct csv_range range, uint64_t *number, struct error *error);

/* The part of a text without the blanks at both ends. */
struct csv_field csv_field_trim(const char *start, size_t length);

#endif
