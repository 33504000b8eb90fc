#ifndef MEMPLAN_CLI_OUTPUT_SIZES_H
#define MEMPLAN_CLI_OUTPUT_SIZES_H

#include "harness/family/size_comparison.h"
#include "harness/rows/record.h"

/* Stores a plan for all sizes and what it was compared with as measures of the topic "sizes"
   (results/views/sizes.h) of the instance. */
enum status sizes_record(struct store *store, const struct record_context *context,
                         const struct instance *instance, const struct size_comparison *comparison,
                         const struct family_plan *plan, struct error *error);

/* Compares a plan that was made for the request, and draws its peaks against the parameter, beside
   those of others, into path by its extension. The family has one parameter. */
enum status sizes_draw(const struct family_request *request, struct family_plan *plan,
                       const char *path, struct error *error);

#endif
