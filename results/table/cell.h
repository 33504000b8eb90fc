#ifndef MEMPLAN_RESULTS_TABLE_CELL_H
#define MEMPLAN_RESULTS_TABLE_CELL_H

#include <stdbool.h>
#include <stdint.h>

/* What is added to a table as a cell, see table_add. Texts are borrowed until then. */
struct cell {
    enum { CELL_MISSING, CELL_TEXT, CELL_WORDS, CELL_INSTANCE, CELL_NUMBER, CELL_REAL } kind;
    const char *text;
    uint64_t number;
    double real;
    unsigned decimals;
    char words[128]; /* the text of a cell made by cell_words */
};

static inline struct cell cell_missing(void)
{
    return (struct cell){.kind = CELL_MISSING};
}

static inline struct cell cell_text(const char *text)
{
    return (struct cell){.kind = CELL_TEXT, .text = text};
}

/* A printf-style text of less than 128 bytes, which the cell itself holds. */
struct cell cell_words(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The name of an instance, with its label if the table has one for it. */
static inline struct cell cell_instance(const char *name)
{
    return (struct cell){.kind = CELL_INSTANCE, .text = name};
}

static inline struct cell cell_number(uint64_t number)
{
    return (struct cell){.kind = CELL_NUMBER, .number = number};
}

static inline struct cell cell_real(double number, unsigned decimals)
{
    return (struct cell){.kind = CELL_REAL, .real = number, .decimals = decimals};
}

/* The number if it is known, and the text if it is not "", else an empty cell. */
static inline struct cell cell_known(bool known, uint64_t number)
{
    return known ? cell_number(number) : cell_missing();
}

static inline struct cell cell_known_real(bool known, double number, unsigned decimals)
{
    return known ? cell_real(number, decimals) : cell_missing();
}

static inline struct cell cell_any_text(const char *text)
{
    return *text ? cell_text(text) : cell_missing();
}

#endif
