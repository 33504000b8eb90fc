#ifndef MEMPLAN_DATASETS_TFLITE_MODEL_H
#define MEMPLAN_DATASETS_TFLITE_MODEL_H

#include "datasets/flatbuffer/flatbuffer.h"
#include "planning/graph/graph.h"

/* The tables of a TFLite model as values: what they say, not yet what it means. */
struct tflite_model {
    struct flatbuffer file;
    struct flatbuffer_vector codes, subgraphs, buffers;
    /* [tensors] of the only subgraph: first dimensions in place of those of the file, 0 where the
       file's holds (batch.h); NULL: all do. */
    const uint64_t *first_dimension;
};

struct tflite_subgraph {
    const struct tflite_model *model;
    uint32_t index;
    size_t at; /* in the file, for messages; likewise below */
    struct flatbuffer_vector tensors, inputs, outputs, operators;
};

struct tflite_tensor {
    size_t at;
    struct flatbuffer_vector name;
    uint64_t dimension[GRAPH_MOST_DIMENSIONS]; /* [rank] */
    uint32_t rank;
    uint32_t open;  /* a bit for each dimension that is dynamic by the shape's signature */
    uint8_t dtype;  /* row of the dtype table, where has_dtype */
    bool has_dtype; /* else only bytes are known */
    bool dynamic;   /* texts, resources and variants: the runtime keeps them outside the arena */
    bool variable;
    uint64_t elements, bytes;
    uint64_t constant_bytes; /* of its buffer, 0 for a tensor that is computed */
};

struct tflite_operator {
    size_t at;
    uint32_t code;                   /* published number of the builtin operator */
    struct flatbuffer_vector custom; /* name, where code is TFLITE_CUSTOM */
    struct flatbuffer_vector inputs, outputs;
    struct flatbuffer_table table;
};

enum { TFLITE_CUSTOM = 32 };

/* text and file are borrowed. Everything fails with STATUS_BAD_INPUT and the byte offset. */
enum status tflite_model_open(const struct text *text, const char *file, struct tflite_model *model,
                              struct error *error);
enum status tflite_model_subgraph(const struct tflite_model *model, uint32_t index,
                                  struct tflite_subgraph *subgraph);

/* index is below the count of the subgraph's vector. */
enum status tflite_model_tensor(const struct tflite_subgraph *subgraph, uint32_t index,
                                struct tflite_tensor *tensor);
enum status tflite_model_operator(const struct tflite_subgraph *subgraph, uint32_t index,
                                  struct tflite_operator *op);

/* A member of the union BuiltinOptions (number is its place in it), or of BuiltinOptions2 where
   second. *found is false when the operator has other options or none. */
enum status tflite_model_options(const struct tflite_operator *op, bool second, uint32_t number,
                                 bool *found, struct flatbuffer_table *options);

#endif
