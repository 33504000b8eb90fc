#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_INTERVALS_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_INTERVALS_H

#include "planning/liveness/path_builder.h"

/* Adds an interval of the tensor under no condition, unless it is empty; joins it with the last one
   where that ends at `lower`. */
enum status path_add_always(struct path_builder *builder, uint32_t tensor, uint32_t lower,
                            uint32_t upper);
/* Adds the needs of the tensor to its intervals, those from `first` on. */
enum status path_add_needs(struct path_builder *builder, uint32_t tensor, uint32_t first);
/* Adds the intervals of a loop's argument from the step that enters the loop to the last use in a
   turn. */
enum status path_add_turn(struct path_builder *builder, uint32_t argument, uint32_t loop);
/* Adds all intervals of a tensor that is live in the region from the step `from`, at least to
   `upper`: for its uses, and what is needed of it. */
enum status path_add_intervals(struct path_builder *builder, uint32_t tensor, uint32_t region,
                               uint32_t from, uint32_t upper);

#endif
