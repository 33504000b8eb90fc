#ifndef MEMPLAN_DATASETS_PYTORCH_SYMBOLS_H
#define MEMPLAN_DATASETS_PYTORCH_SYMBOLS_H

#include "core/names.h"
#include "datasets/assembly/options.h"
#include "datasets/json/fields.h"

/* The sizes of a program that are expressions of symbols. A symbol is worth, in this order: the
   value of the dimension of that name in the options; what --bind gives the dimension of an input
   that it is; the size that the example had with which the
   program was exported; the upper bound of its range; what --assume-dim says. */
struct pytorch_symbols {
    struct names names;
    int64_t *value; /* [names.count] */
    size_t capacity;
    bool is_bound;                   /* some symbol has another value than in the example */
    const struct json_value *ranges; /* range_constraints, or NULL */
    const struct model_options *options;
    const struct json_reader *json;
};

void pytorch_symbols_free(struct pytorch_symbols *symbols);

/* Lets the dimensions of the options be symbols. STATUS_BAD_INPUT where the program has none of
   that name, or the value is outside of its range. */
enum status pytorch_symbols_set(struct pytorch_symbols *symbols);

/* Lets the symbols in the sizes of an input be what the user or the example says: once for the
   inputs that are bound, which count more, then for those that are not. */
enum status pytorch_symbols_learn(struct pytorch_symbols *symbols, const char *input,
                                  const struct json_value *sizes, bool is_bound);

/* The number of a size: {"as_int": 3}, or {"as_expr": ..}. */
enum status pytorch_symbols_size(struct pytorch_symbols *symbols, const struct json_value *size,
                                 uint64_t *number);

/* What the value of a union holds, whose other alternatives are missing or null; NULL for nothing.
 *kind is its key. */
const struct json_value *pytorch_chosen(const struct json_reader *json,
                                        const struct json_value *choice, const char **kind);

#endif
