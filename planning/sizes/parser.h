#ifndef MEMPLAN_PLANNING_SIZES_PARSER_H
#define MEMPLAN_PLANNING_SIZES_PARSER_H

#include <stddef.h>
#include <stdint.h>

#include "core/names.h"

/* An expression is a list of steps that work on a stack of numbers. */
enum size_step_kind {
    SIZES_NUMBER,    /* pushes the number */
    SIZES_PARAMETER, /* pushes the parameter whose index the number is */
    SIZES_ADD,       /* this and the next three replace the upper two numbers of the stack */
    SIZES_SUBTRACT,
    SIZES_MULTIPLY,
    SIZES_MAX,
    SIZES_CEIL, /* this and the next two divide the uppermost by the number, or round it up to it */
    SIZES_FLOOR,
    SIZES_ALIGN,
};
/* Nine bytes: large problems have several steps for each buffer. */
struct __attribute__((packed)) size_step {
    uint8_t kind; /* enum size_step_kind */
    uint64_t number;
};
enum { SIZES_MOST_DEPTH = 64 }; /* of the stack, and of brackets inside brackets */

/* Appends the steps of the expression in the text, which is over these parameters, to
   (*step)[*end], and moves *end behind them. STATUS_BAD_INPUT with the column, counted from 1, of
   what was found, and what was expected. O(length). */
enum status sizes_parse(const struct names *parameter, const char *text, struct size_step **step,
                        size_t *capacity, size_t *end, struct error *error);

#endif
