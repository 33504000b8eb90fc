#ifndef MEMPLAN_DATASETS_ONNX_BUILD_GRAPH_H
#define MEMPLAN_DATASETS_ONNX_BUILD_GRAPH_H

#include "datasets/assembly/assembly.h"
#include "datasets/onnx/model/model.h"

/* The last step of reading: a model whose values are marked and sized becomes a graph. */

struct onnx_builder {
    struct onnx_model *model;
    struct assembly assembly;
    uint32_t *tensor; /* [model->names.count] of each value, GRAPH_NONE before it is used */
};

/* Makes the graph; the caller frees it with graph_free. */
enum status onnx_graph_build(struct onnx_model *model, const char *name, struct graph **graph,
                             struct error *error);

/* For its parts: */

/* The tensor of a value, added to the graph when it is new. A constant is external. */
enum status onnx_graph_tensor(struct onnx_builder *builder, const char *value, uint32_t *tensor);
enum status onnx_graph_add_tensor(struct onnx_builder *builder, struct assembly_list *list,
                                  const char *value);
/* A tensor that the file has no value for, called "base.what". */
enum status onnx_graph_make_tensor(struct onnx_builder *builder, const char *base, const char *what,
                                   struct graph_tensor_spec spec, uint32_t *tensor);

/* Whether output i of a node becomes an output of the operator. An omitted one does not, nor one
   that nothing reads and whose size is unknown. */
bool onnx_graph_has_output(const struct onnx_builder *builder, const Onnx__NodeProto *node,
                           size_t i);

/* Opens the operator of a node under a name of its own; assembly_head or assembly_close tells the
   graph what it reads and writes. */
enum status onnx_graph_open(struct onnx_builder *builder, const Onnx__NodeProto *node,
                            uint32_t *op);
/* Opens an operator that the file has no node for, called "base.what". */
enum status onnx_graph_open_made(struct onnx_builder *builder, const char *base, const char *what,
                                 const char *type);

/* Adds input i of a node to the inputs of the open operator, or to its weights if it is constant.
   Small whole-number lists (shapes, axes) tell the operator what to do and are neither. */
enum status onnx_graph_read_input(struct onnx_builder *builder, const Onnx__NodeProto *node,
                                  size_t i);

/* Adds the outputs of a node that become outputs of the open operator. */
enum status onnx_graph_write_outputs(struct onnx_builder *builder, const Onnx__NodeProto *node);

/* Adds the operators of an inner graph to the open region. */
enum status onnx_graph_add_nodes(struct onnx_builder *builder, const Onnx__GraphProto *graph);

/* Operators with regions; datasets/onnx/build/regions.c. */
enum status onnx_graph_add_if(struct onnx_builder *builder, const Onnx__NodeProto *node);
/* Loop or Scan. */
enum status onnx_graph_add_loop(struct onnx_builder *builder, const Onnx__NodeProto *node);

#endif
