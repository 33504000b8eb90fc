#ifndef MEMPLAN_DATASETS_ONNX_MODEL_MODEL_H
#define MEMPLAN_DATASETS_ONNX_MODEL_MODEL_H

#include <onnx.pb-c.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/names.h"
#include "datasets/assembly/options.h"
#include "datasets/onnx/model/memory.h"

/* A model on its way from the file to a graph. It stays a tree of ONNX's own messages, so that it
   can go through libonnx's shape inference at any time; what is learned about a value is kept
   beside it, by the value's name, which is unique in the whole model once
   datasets/onnx/model/names.h has seen it.

       file -> messages -> names, functions inlined -> { constants folded, branches chosen, shapes
       inferred } until nothing changes -> what is constant, what is used, sizes -> graph */

enum { ONNX_MOST_DIMENSIONS = 8 };

/* Small tensors of whole numbers that folding knows, e.g. shapes. Items of floating-point tensors
   are kept where they are whole. */
#define ONNX_NUMBER_UNKNOWN INT64_MIN
struct onnx_number {
    int32_t element; /* TensorProto.DataType */
    uint32_t rank, count;
    int64_t dimension[ONNX_MOST_DIMENSIONS];
    int64_t *item; /* [count] row-major; ONNX_NUMBER_UNKNOWN for one that is not known */
};

enum onnx_kind { ONNX_UNTYPED, ONNX_TENSOR, ONNX_NO_TENSOR /* sequence, optional, ... */ };

struct onnx_value {
    enum onnx_kind kind;
    int32_t element; /* TensorProto.DataType, 0 if not known */
    bool has_rank;
    bool constant; /* made of constants only: a weight */
    bool used;
    uint32_t rank;
    int64_t dimension[ONNX_MOST_DIMENSIONS]; /* [rank], -1 for one that is not known */
    const struct onnx_number *number;        /* NULL if not known */
    uint64_t most_bytes;                     /* of an If's output: of what its branches yield */
};

struct onnx_model {
    struct onnx_memory memory;
    Onnx__ModelProto *proto;
    struct names names;       /* of values */
    struct onnx_value *value; /* [names.count] */
    size_t value_capacity;
    const struct model_options *options;
    struct error *error;
};

/* Adds a value with this name, which is not there yet. */
enum status onnx_model_add(struct onnx_model *model, const char *name);

/* NULL for an omitted input or output, whose name is "", and for what has no name (NULL). */
struct onnx_value *onnx_model_find(const struct onnx_model *model, const char *name);

/* NULL if the node has none of this name. */
Onnx__AttributeProto *onnx_node_attribute(const Onnx__NodeProto *node, const char *name);
int64_t onnx_node_integer(const Onnx__NodeProto *node, const char *name, int64_t otherwise);
/* NULL unless it is a graph. */
Onnx__GraphProto *onnx_node_graph(const Onnx__NodeProto *node, const char *name);
/* "" for one that has none; of another domain than ONNX's "domain.Type". */
const char *onnx_node_type(const Onnx__NodeProto *node);
bool onnx_node_is_standard(const Onnx__NodeProto *node);
bool onnx_node_is(const Onnx__NodeProto *node, const char *type);
/* Name of an input or output, "" for an omitted one. */
const char *onnx_node_input(const Onnx__NodeProto *node, size_t index);
const char *onnx_node_output(const Onnx__NodeProto *node, size_t index);

/* The version of ONNX's own operators; 1 if the model says nothing. */
int64_t onnx_model_opset(const struct onnx_model *model);

/* Calls visit for a graph and all inside it, inner ones after the one around them. */
typedef enum status onnx_visit(struct onnx_model *model, Onnx__GraphProto *graph);
enum status onnx_model_walk(struct onnx_model *model, Onnx__GraphProto *graph, onnx_visit *visit);

#endif
