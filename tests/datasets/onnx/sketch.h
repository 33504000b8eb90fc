#ifndef MEMPLAN_TESTS_DATASETS_ONNX_SKETCH_H
#define MEMPLAN_TESTS_DATASETS_ONNX_SKETCH_H

#include <onnx.pb-c.h>

#include "core/text.h"
#include "datasets/onnx/read.h"

/* Small ONNX models written by hand, through protobuf-c. Nothing of them is given back before the
   test ends. */

enum { SKETCH_MOST = 16 };

struct sketch {
    Onnx__GraphProto graph;
    Onnx__NodeProto *node[SKETCH_MOST];
    Onnx__ValueInfoProto *input[SKETCH_MOST], *output[SKETCH_MOST];
    Onnx__TensorProto *initializer[SKETCH_MOST];
    Onnx__FunctionProto *function; /* of the model, or NULL */
};

/* Zeroed memory that lives until the program ends. */
void *sketch_keep(size_t bytes);

struct sketch *sketch_create(void);

/* Names are separated by blanks; "-" stands for one that is omitted. */
Onnx__NodeProto *sketch_node(struct sketch *sketch, const char *type, const char *inputs,
                             const char *outputs);
Onnx__NodeProto *sketch_make_node(const char *type, const char *inputs, const char *outputs);
void sketch_graph(Onnx__NodeProto *node, const char *name, struct sketch *inner);
void sketch_integer(Onnx__NodeProto *node, const char *name, int64_t value);

/* Shapes are "2 3", "n 3" for a symbolic dimension, "" for a scalar, NULL for none. */
void sketch_input(struct sketch *sketch, const char *name, int element, const char *shape);
void sketch_output(struct sketch *sketch, const char *name, int element, const char *shape);
void sketch_floats(struct sketch *sketch, const char *name, const char *shape);
void sketch_integers(struct sketch *sketch, const char *name, int count, const int64_t *values);

/* The model as bytes. */
struct text sketch_pack(struct sketch *sketch);

#endif
