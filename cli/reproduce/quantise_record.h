#ifndef MEMPLAN_CLI_REPRODUCE_QUANTISE_RECORD_H
#define MEMPLAN_CLI_REPRODUCE_QUANTISE_RECORD_H

#include "datasets/instance.h"
#include "harness/record.h"

/* Quantises drawn weights of a graph to int8 and int4 and stores what came out as measures of the
   topic "quantise", and of "quantise-dma" what transfers then take under the profile ethos_u55. */
enum status quantise_record(const struct instance *instance, struct store *store,
                            const struct record_context *context, struct error *error);

#endif
