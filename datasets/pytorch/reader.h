#ifndef MEMPLAN_DATASETS_PYTORCH_READER_H
#define MEMPLAN_DATASETS_PYTORCH_READER_H

#include "datasets/assembly/assembly.h"
#include "datasets/pytorch/symbols.h"

/* The parts of the reader of exported programs. A frame is one graph of the program: the outermost
   one, or a subgraph of an operator, with names of its own. */

enum { PYTORCH_MOST_DEPTH = 64 };

struct pytorch_reader {
    struct json_reader json;
    struct json_document *document; /* that of json; nodes and tensors are read when needed */
    struct names devices;           /* types of devices of the tensors that were looked at */
    struct pytorch_symbols symbols;
    struct assembly assembly;
    bool *is_state; /* [inputs of the program] parameters and buffers that something writes into */
    bool found_state; /* one more was found, so that the graph has to be built once more */
    unsigned depth;
};

/* What the program says of a tensor. */
struct pytorch_tensor {
    struct assembly_shape shape; /* layout is 0 where its elements lie in order */
    uint64_t dtype;              /* the file's number */
    uint32_t device;             /* in the reader's names */
    uint32_t name;
};

enum { PYTORCH_RECENT = 32 }; /* tensors whose facts are kept */

struct pytorch_frame {
    struct pytorch_reader *reader;
    const struct json_value *graph;
    struct names names;             /* of its tensors */
    const struct json_value **meta; /* [names.count] */
    struct assembly_value *value;   /* [names.count] */
    size_t meta_capacity;
    struct pytorch_tensor recent[PYTORCH_RECENT]; /* each at its name % PYTORCH_RECENT */
};

/* What stands behind `key` of an object, NULL where there is nothing. */
const struct json_value *pytorch_get(const struct pytorch_reader *reader,
                                     const struct json_value *object, const char *key);

enum status pytorch_frame_open(struct pytorch_reader *reader, const struct json_value *graph,
                               struct pytorch_frame *frame);
void pytorch_frame_free(struct pytorch_frame *frame);

/* Tensors that an argument names, each as an index into the frame's names; appended to the list. */
enum status pytorch_frame_tensors(const struct pytorch_frame *frame,
                                  const struct json_value *argument, struct assembly_list *list);

/* A tensor of the frame; borrowed until the next call. */
enum status pytorch_frame_tensor(struct pytorch_frame *frame, uint32_t name,
                                 const struct pytorch_tensor **tensor);
/* The tensor as it stands in the file, to be closed by json_document_close_part. */
enum status pytorch_frame_open_meta(struct pytorch_frame *frame, uint32_t name,
                                    const struct json_value **meta);

/* Lets a name stand for a new tensor of the graph. */
enum status pytorch_frame_define(struct pytorch_frame *frame, uint32_t name);

/* An operator, which is open, uses a value of the frame somewhere in its regions, reads it itself,
   or writes into it. */
enum status pytorch_frame_use(struct pytorch_frame *frame, uint32_t name, uint32_t op);
enum status pytorch_frame_read(struct pytorch_frame *frame, uint32_t name, uint32_t op);
enum status pytorch_frame_overwrite(struct pytorch_frame *frame, uint32_t name, uint32_t op,
                                    const struct json_value *node);

/* Adds the operators of the frame to the open region. */
enum status pytorch_add_nodes(struct pytorch_frame *frame);

/* A node with subgraphs. *found is false for any other, with nothing done. */
enum status pytorch_add_regions(struct pytorch_frame *frame, const struct json_value *node,
                                bool *found);

#endif
