#ifndef MEMPLAN_RESULTS_TABLE_TABLE_H
#define MEMPLAN_RESULTS_TABLE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/names.h"
#include "core/text.h"
#include "results/table/cell.h"

/* A table that can be written as text, Markdown, CSV, LaTeX, HTML or JSON. To make one,
   zero-initialise it, add all columns, then the cells row by row. The first failed allocation is
   remembered in `failed`; later calls do nothing, and table_check or table_write reports it. All
   texts are copied. */

/* The default number of letters in a line of text, and the fewest that can be set. */
enum { TABLE_USUAL_WIDTH = 80, TABLE_LEAST_WIDTH = 40 };

enum table_alignment { TABLE_LEFT, TABLE_RIGHT };

enum table_kind {
    TABLE_TEXT,
    TABLE_NUMBER,  /* digits, maybe with a sign and decimals; people see groups of three */
    TABLE_MISSING, /* shown as "-", left empty in CSV */
    TABLE_KINDS
};

struct table_cell {
    size_t start; /* in the table's raw text */
    enum table_kind kind : 4;
    bool marked : 1;    /* shown in bold, except in CSV */
    unsigned link : 27; /* in the table's addresses, from 1; 0 for none */
};

struct table {
    const char *name;                /* borrowed; or NULL */
    const char *reference;           /* its label in LaTeX, borrowed; NULL: made of the name */
    char *title;                     /* NULL before it is set */
    struct names notes;              /* lines below the table; left out of CSV */
    struct names headings, units;    /* units: "" for none */
    enum table_alignment *alignment; /* [headings.count] */
    uint32_t *rank;                  /* [headings.count] see table_rank_column */
    struct table_cell *cell;         /* [cells] row by row */
    uint32_t cells;
    struct text raw;              /* of all cells, each with a zero at its end */
    const struct names *labelled; /* instances with a label behind their names; NULL for none */
    const char *label;
    /* Part of a page of results that names of planners, instances and orders lead to, with or
       without a choice behind a "?", as it stands in HTML; NULL for none. */
    const char *links;
    struct names addresses; /* that cells lead to on a page */
    uint32_t width;         /* letters in a line of text; 0: TABLE_USUAL_WIDTH */
    uint32_t foot_rows;     /* number of last rows that sum up the others; left out of CSV */
    size_t alignment_capacity, rank_capacity, cell_capacity;
    bool failed;
};

void table_free(struct table *table);

/* The title that stands above the table. */
void table_set_title(struct table *table, const char *title);

/* Sets the instances that cell_instance shows with a label behind their names. Both are
   borrowed until the last cell has been added. */
void table_set_label(struct table *table, const struct names *labelled, const char *label);
/* Adds a column to the right. unit: stands below or behind the heading, "" for none. */
void table_add_column(struct table *table, const char *heading, const char *unit,
                      enum table_alignment alignment);

/* Adds columns that are separated by " | ". Each is its heading, its unit in parentheses if it has
   one, a colon where it is aligned to the right, and "~" with its rank if that is not 0: "instance
   | time (ms): ~2". */
void table_add_columns(struct table *table, const char *columns);

/* Where the page is too narrow for all columns, the columns of the highest rank are left out first,
   and among equal ranks the last. The rank is 0 unless it is set. The first column always stays. */
void table_rank_column(struct table *table, uint32_t column, uint32_t rank);
/* Adds a line below the table. */
void table_add_note(struct table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* table_add adds the next cells of the row, each a struct cell; table_repeat adds a cell several
   times. */
#define table_add(table, ...)                                                                      \
    table_add_cells(table, (const struct cell[]){__VA_ARGS__},                                     \
                    sizeof((const struct cell[]){__VA_ARGS__}) / sizeof(struct cell))
void table_add_cells(struct table *table, const struct cell *cell, size_t count);
void table_repeat(struct table *table, unsigned count, struct cell cell);

/* Makes the last `count` rows the foot of the table. */
void table_set_foot(struct table *table, uint32_t count);
/* Shows a cell that was added in bold. */
void table_mark(struct table *table, uint32_t row, uint32_t column);
/* Lets a cell that was added lead somewhere in HTML. */
void table_link(struct table *table, uint32_t row, uint32_t column, const char *address);

uint32_t table_rows(const struct table *table); /* with the foot */
uint32_t table_columns(const struct table *table);
const char *table_title(const struct table *table); /* "" before it is set */
const char *table_raw(const struct table *table, uint32_t row, uint32_t column);
const struct table_cell *table_cell_at(const struct table *table, uint32_t row, uint32_t column);

/* STATUS_INTERNAL where memory ran out or the last row is not complete. */
enum status table_check(const struct table *table, struct error *error);

/* A format of tables, see formats.def. */
struct table_format {
    const char *name; /* also the file name extension */
    const char *title;
    bool in_reports; /* reports have a file of this format for each table */
    /* Appends a table that table_check accepts. */
    void (*write)(const struct table *table, struct text *text);
    bool is_for_people;
};
unsigned table_formats_count(void);
const struct table_format *table_formats_at(unsigned index);
const struct table_format *table_formats_find(const char *name); /* NULL if there is none */

/* STATUS_USAGE with the names of all formats. */
enum status table_formats_refuse(const char *name, size_t length, struct error *error);

/* Appends the table to text. STATUS_USAGE for an unknown format, with the names of the known. */
enum status table_write(const struct table *table, const char *format_name, struct text *text,
                        struct error *error);

#endif
