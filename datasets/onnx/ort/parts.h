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
    uint64_t work; /* a small file may have the same graph in it again and again */
    unsigned depth;
};

enum status ort_charge(struct ort_reader *reader, size_t at, uint64_t work);

/* An array in the model's memory, never NULL. */
enum status ort_take(struct ort_reader *reader, void *array, size_t count, size_t item_bytes);

/* A list of tables or texts that a field has, and an array with room for a pointer to each. */
enum status ort_list(struct ort_reader *reader, const struct flatbuffer_table *table,
                     unsigned field, const char *what, struct flatbuffer_vector *list,
                     void *pointers);

/* A copy of a text that a field has, "" where it has none; the same of an element of a list. */
enum status ort_text(struct ort_reader *reader, const struct flatbuffer_table *table,
                     unsigned field, char **text);
enum status ort_element_text(struct ort_reader *reader, const struct flatbuffer_vector *list,
                             uint32_t index, char **text);

enum status ort_read_graph(struct ort_reader *reader, const struct flatbuffer_table *table,
                           Onnx__GraphProto **graph);
enum status ort_read_tensor(struct ort_reader *reader, const struct flatbuffer_table *table,
                            Onnx__TensorProto **tensor);
enum status ort_read_attributes(struct ort_reader *reader, const struct flatbuffer_table *node,
                                Onnx__NodeProto *proto);

/* Sorts the nodes of a graph by what they read, ties by their order. */
enum status ort_sort_nodes(struct ort_reader *reader, Onnx__GraphProto *graph);

#endif
