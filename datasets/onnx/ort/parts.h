#ifndef MEMPLAN_DATASETS_ONNX_ORT_PARTS_H
#define MEMPLAN_DATASETS_ONNX_ORT_PARTS_H

#include "datasets/flatbuffer/flatbuffer.h"
#include "datasets/onnx/model/model.h"

/* The parts of the reader of .ort files. */

struct ort_reader {
    struct flatbuffer file;
    struct onnx_model *model;
    Onnx__TensorShapeProto__Dimension **named; /* [named_count] dimensions that are names */
    size_t named_count, named_capacity;
    const Onnx__ValueInfoProto *value; /* the one whose type is read; its name is read first */
    uint64_t work; /* a small file may have the same graph in it again and again */
    unsigned depth;
};

/* Tables of the file that are messages of ONNX, or a part of one. */
enum ort_table {
    ORT_NOTHING,
    ORT_NAME, /* the name of a value stands for it */
    ORT_CASE, /* which field of a union there is */
    ORT_MODEL,
    ORT_OPSET,
    ORT_GRAPH,
    ORT_VALUE,
    ORT_TYPE,
    ORT_ARRAY,
    ORT_SHAPE,
    ORT_DIMENSION,
    ORT_LENGTH,
    ORT_NODE,
    ORT_TENSOR,
    ORT_ATTRIBUTE,
};

/* Makes a message of a table, and lets the pointer *message lead to it. */
enum status ort_read_table(struct ort_reader *reader, const struct flatbuffer_table *table,
                           enum ort_table kind, void *message);

/* An array in the model's memory, never NULL. */
enum status ort_take(struct ort_reader *reader, void *array, size_t count, size_t item_bytes);
enum status ort_copy_text(struct ort_reader *reader, const struct flatbuffer_vector *bytes,
                          char **text);

/* A graph has its values in one list: gives its inputs and outputs their types, sorts its nodes by
   what they read, ties by their order, and keeps the types of what these write. */
enum status ort_finish_graph(struct ort_reader *reader, Onnx__GraphProto *graph);

#endif
