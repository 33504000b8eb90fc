#ifndef MEMPLAN_CLI_REPRODUCE_DMA_RECORD_H
#define MEMPLAN_CLI_REPRODUCE_DMA_RECORD_H

#include "datasets/instance.h"
#include "harness/record.h"

/* Runs every mode of weight transfer of a graph under the profile luna and stores what came out as
   measures of the topic "dma". */
enum status dma_record(const struct instance *instance, struct store *store,
                       const struct record_context *context, struct error *error);

#endif
