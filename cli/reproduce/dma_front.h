#ifndef MEMPLAN_CLI_REPRODUCE_DMA_FRONT_H
#define MEMPLAN_CLI_REPRODUCE_DMA_FRONT_H

#include "datasets/instance.h"
#include "harness/record.h"

/* Time and on-chip bytes of every mode of weight transfer of a graph under the profile ethos_u55,
   and the front of mode planned by two planners, as measures of the topic "dma-front". */
enum status dma_front_record(const struct instance *instance, struct store *store,
                             const struct record_context *context, struct error *error);

#endif
