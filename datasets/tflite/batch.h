#ifndef MEMPLAN_DATASETS_TFLITE_BATCH_H
#define MEMPLAN_DATASETS_TFLITE_BATCH_H

#include "datasets/tflite/model.h"

/* Models whose batch is not fixed: the first dimension of inputs is dynamic, which the signature of
   the shape says. The file has 1 for every dynamic dimension, also for one that is a multiple of
   the batch, so those of other tensors are found from operator to operator. */

/* Gives *first_dimension, [tensors] of the only subgraph, the first dimension of each tensor where
   it depends on the batch, and 0 where it does not. The caller frees it with memory_free.
   STATUS_BAD_INPUT where no input has such a dimension, where another dimension is dynamic, and
   where an operator reads what depends on the batch and is not known to hand it on. */
enum status tflite_batch_find(const struct tflite_model *model, uint64_t batch,
                              uint64_t **first_dimension);

#endif
