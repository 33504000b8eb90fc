#ifndef MEMPLAN_TESTS_DATASETS_TFLITE_WRITER_H
#define MEMPLAN_TESTS_DATASETS_TFLITE_WRITER_H

#include "core/text.h"

/* Writes TFLite models by hand for tests: a FlatBuffer laid out front to back, where a field that
   points to something is filled in when that is written. */

/* A table's fields by number: "1" to "8" bytes wide for a number, 'o' for an offset,
   '.' for none. */
struct writer_table {
    const char *fields;
    uint64_t value[16];
};

/* Appends the table and returns where it is. */
size_t writer_add_table(struct text *text, const struct writer_table *table);

/* Where field `number` of the table at `table` is. */
size_t writer_field(const struct text *text, size_t table, unsigned number);

/* Points the offset at `from` to the end of the text, where something is going to be written. */
void writer_point(struct text *text, size_t from);

/* A vector of numbers of 4 bytes, or with room for offsets; the place of its first element. */
size_t writer_add_vector(struct text *text, const int *values, unsigned count);
void writer_add_string(struct text *text, const char *string);

enum { WRITER_DYNAMIC = -9 };

/* A model of subgraphs. Everything is given as text, so that a test reads like the model:
   "code|inputs|outputs|option type|options" for an operator, "name|shape|type|kind" for a tensor;
   kind is c for a constant and v for a
   variable. A dimension of WRITER_DYNAMIC is dynamic: 1 in the shape, -1 in its signature. */
struct writer_subgraph {
    const char *inputs, *outputs;
    const char *tensors[16];
    const char *operators[8];
};

/* Appends a whole model of `count` subgraphs. */
void writer_add_model(struct text *text, const struct writer_subgraph *subgraphs, unsigned count);

#endif
