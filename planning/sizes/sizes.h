#ifndef MEMPLAN_PLANNING_SIZES_SIZES_H
#define MEMPLAN_PLANNING_SIZES_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/names.h"
#include "core/text.h"
#include "planning/sizes/parser.h"

/* Sizes that depend on parameters, such as the length of a sequence, which are known only when a
   network runs. A parameter is a whole number from least to greatest; a point gives a value to each
   of them, and all points together are the box. A size is an expression of the parameters:

       4*768*sequence    ceil(image / 2) * 64    align(4*n, 64)    max(n, 8)    floor((n - 3) / 2)

   No expression falls when a parameter grows: what is subtracted and what divides are numbers. So
   every size is least at the least point of the box and greatest at its greatest point. */

struct symbolic_sizes {
    struct names parameter;     /* unique identifiers */
    uint64_t *least, *greatest; /* [parameter.count] */
    uint32_t count;             /* expressions */
    size_t *first;              /* [count + 1] */
    struct size_step *step;     /* expression e has steps first[e] .. first[e + 1] - 1 */
    size_t range_capacity, greatest_capacity, first_capacity, step_capacity;
};

enum status sizes_create(struct symbolic_sizes **sizes, struct error *error);
void sizes_free(struct symbolic_sizes *sizes); /* NULL is fine */
SCOPED_POINTER(struct symbolic_sizes, sizes_release, sizes_free);

/* STATUS_BAD_INPUT where the name is no identifier of at most 64 letters, digits and underscores or
   is used already, and where the range is empty. */
enum status sizes_add_parameter(struct symbolic_sizes *sizes, const char *name, uint64_t least,
                                uint64_t greatest, struct error *error);

/* Adds the expression that a text holds; its index is sizes->count - 1. STATUS_BAD_INPUT with the
   column where the text is no expression, and where its value is 0 at the least point or above
   2^63 - 1 at the greatest. O(length). */
enum status sizes_add(struct symbolic_sizes *sizes, const char *text, struct error *error);
/* Adds an expression that is a number, at least 1. */
enum status sizes_add_number(struct symbolic_sizes *sizes, uint64_t number, struct error *error);

/* An empty list of expressions over the same parameters. */
enum status sizes_create_like(const struct symbolic_sizes *source, struct symbolic_sizes **sizes,
                              struct error *error);

/* The value of an expression at point[parameter.count]; false where it is above 2^63 - 1 or falls
   below 0, which happens at no point of the box. O(its steps). */
bool sizes_value(const struct symbolic_sizes *sizes, uint32_t index, const uint64_t *point,
                 uint64_t *value);

/* A number that divides the value at every point. O(its steps). */
uint64_t sizes_divisor(const struct symbolic_sizes *sizes, uint32_t index);

/* Whether two expressions of the list are the same, step by step. */
bool sizes_are_same(const struct symbolic_sizes *sizes, uint32_t a, uint32_t b);

/* Appends the expression as sizes_add reads it, with as few brackets as it needs; or as C, where
   the functions memplan_ceil, memplan_floor, memplan_align and memplan_max are called and the value
   of a parameter is NAME_value, which is no keyword. */
void sizes_write(const struct symbolic_sizes *sizes, uint32_t index, bool as_c, struct text *text);

/* The number of points of the box, UINT64_MAX where there are more. */
uint64_t sizes_points(const struct symbolic_sizes *sizes);
bool sizes_in_box(const struct symbolic_sizes *sizes, const uint64_t *point);

/* Reads a point "name=value,name=value" in which each parameter comes once; STATUS_USAGE where it
   is none. Values outside of the box are allowed. */
enum status sizes_read_point(const struct symbolic_sizes *sizes, const char *text, uint64_t *point,
                             struct error *error);
/* Appends the point in that form. */
void sizes_write_point(const struct symbolic_sizes *sizes, const uint64_t *point,
                       struct text *text);

#endif
