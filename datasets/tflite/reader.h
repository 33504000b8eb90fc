#ifndef MEMPLAN_DATASETS_TFLITE_READER_H
#define MEMPLAN_DATASETS_TFLITE_READER_H

#include "datasets/assembly/assembly.h"
#include "datasets/tflite/model.h"
#include "datasets/tflite/tflite.h"

/* The parts of the reader of TFLite models. A subgraph is instantiated for each operator that calls
   it; a frame is one instance, and names in it begin with the operators around it. */
struct tflite_frame {
    struct tflite_reader *reader;
    const struct tflite_frame *outer; /* NULL for the main subgraph */
    struct tflite_subgraph subgraph;
    uint32_t *value; /* [tensors] tensor of the graph for each, GRAPH_NONE before it is written */
    uint32_t *constant; /* [tensors] the same for constants that are more than weights */
};

struct tflite_reader {
    struct tflite_model model;
    struct assembly assembly;
    uint64_t work; /* work done so far; it has a limit, so that hostile files end soon */
    struct names variable_key;     /* "subgraph:tensor" of each variable tensor */
    struct assembly_list variable; /* [variable_key.count] in the graph */
    size_t *place;                 /* [operators] byte offset of each */
    size_t place_capacity;
};

/* Counts the work for a part of a graph. It fails beyond a limit, since a small file may call the
   same subgraph again and again. */
enum status tflite_reader_charge(struct tflite_reader *reader, size_t at, uint64_t work);

/* Adds a byte offset of the file to the error of a graph_* function that failed over what stands
   there. */
enum status tflite_reader_place(struct tflite_reader *reader, size_t at, enum status status);

/* Opens the instance that is called at byte `at` from the frame around it; free it in any case. */
enum status tflite_frame_open(struct tflite_reader *reader, const struct tflite_frame *outer,
                              uint32_t subgraph, size_t at, struct tflite_frame *frame);
void tflite_frame_free(struct tflite_frame *frame);

/* Element i of a list of tensors of the frame; *absent for an optional one (-1). */
enum status tflite_frame_index(const struct tflite_frame *frame,
                               const struct flatbuffer_vector *vector, uint32_t i, uint32_t *index,
                               bool *absent);

/* The tensor of the graph that holds what element i of a list stands for, which was written before,
   is a variable or a constant. `at` is the byte offset of what reads it, for messages. */
enum status tflite_frame_use(struct tflite_frame *frame, const struct flatbuffer_vector *vector,
                             uint32_t i, size_t at, uint32_t *tensor);

/* Appends the tensors of the graph for all elements from `first` on. */
enum status tflite_frame_use_all(struct tflite_frame *frame, const struct flatbuffer_vector *vector,
                                 uint32_t first, size_t at, struct assembly_list *list);

/* A tensor of the graph for element i of a list, which is written for the first time. */
enum status tflite_frame_define(struct tflite_frame *frame, const struct flatbuffer_vector *vector,
                                uint32_t i, size_t at, uint32_t *tensor);

/* Adds tensor `index` of a subgraph to the graph under a name that is free. */
enum status tflite_reader_add_tensor(struct tflite_reader *reader,
                                     const struct tflite_subgraph *subgraph, uint32_t index,
                                     uint32_t *tensor);

/* Name of a tensor in the file, or one made from its index; valid until the next. */
enum status tflite_reader_name(struct tflite_reader *reader, const struct flatbuffer_vector *name,
                               const char *otherwise, uint32_t index, const char **text);

/* Opens operator `index` of a frame with its first `inputs` inputs (those that are no constants)
   and all its outputs, of which assembly_head or assembly_close tells the graph. */
enum status tflite_operator_open(struct tflite_reader *reader, struct tflite_frame *frame,
                                 const struct tflite_operator *op, uint32_t index, uint32_t inputs);
enum status tflite_operators_read(struct tflite_reader *reader, struct tflite_frame *frame);

/* An operator that calls subgraphs. *found is false for any other, with nothing done. */
enum status tflite_regions_read(struct tflite_reader *reader, struct tflite_frame *frame,
                                const struct tflite_operator *op, uint32_t index, bool *found);

/* What is known of a builtin operator: its name, which input an output of as many bytes may
   overwrite, and how its flops follow from shapes. */

enum tflite_inplace {
    TFLITE_INPLACE_NONE,
    TFLITE_INPLACE_FIRST, /* the first input */
    TFLITE_INPLACE_ANY,   /* any one of the inputs */
};

enum tflite_flops {
    TFLITE_FLOPS_UNKNOWN,
    TFLITE_FLOPS_NOTHING, /* only moves bytes */
    TFLITE_FLOPS_OUTPUT,  /* one for each element of the output */
    TFLITE_FLOPS_INPUT,   /* one for each element of the first input */
    TFLITE_FLOPS_POOL,    /* one for each element of each window */
    TFLITE_FLOPS_CONV,    /* 2 for each multiply-add, also below */
    TFLITE_FLOPS_DEPTHWISE,
    TFLITE_FLOPS_TRANSPOSE_CONV,
    TFLITE_FLOPS_DENSE,
    TFLITE_FLOPS_MATMUL,
};

struct tflite_builtin {
    const char *name;
    enum tflite_inplace inplace;
    enum tflite_flops flops;
};

/* NULL for a code newer than the table. */
const struct tflite_builtin *tflite_builtin_at(uint32_t code);

/* Flops of an operator by the shapes of its tensors, -1 where they are not known. */
enum status tflite_flops_count(const struct tflite_subgraph *subgraph,
                               const struct tflite_operator *op, int64_t *flops);

#endif
