#ifndef MEMPLAN_DATASETS_TFLITE_TFLITE_H
#define MEMPLAN_DATASETS_TFLITE_TFLITE_H

#include "core/text.h"
#include "planning/graph/graph.h"

/* TensorFlow Lite models, see docs/formats.md. */

enum { TFLITE_MOST_DEPTH = 64 }; /* subgraphs inside subgraphs */

/* Reads the main subgraph with all it calls, and checks it (graph_finish). The caller frees the
   graph with graph_free. batch: the first dimension of inputs whose signature leaves it open; 0:
   all dimensions are those of the file. Fails with STATUS_BAD_INPUT, the file and the byte
   offset. */
enum status tflite_read(const struct text *text, const char *file, uint64_t batch,
                        struct graph **graph, struct error *error);

/* For each tensor of the main subgraph, the tensor of the graph that tflite_read makes of it. The
   caller frees the list with memory_free. STATUS_BAD_INPUT also for a model of several
   subgraphs. */
struct tflite_tensors {
    uint32_t *tensor; /* [count] of the graph, GRAPH_NONE for constants, variables, unused ones */
    uint32_t count;
};
enum status tflite_read_tensors(const struct text *text, const char *file,
                                struct tflite_tensors *tensors, struct error *error);

#endif
