#ifndef MEMPLAN_DATASETS_RANGES_INFER_H
#define MEMPLAN_DATASETS_RANGES_INFER_H

#include "core/text.h"

/* The values value[count] of a number at first, first + 1, ... as an expression of the parameter
   (planning/sizes/sizes.h). *found is false where there is none: where a value falls, or where the
   rises do not repeat after at most INFER_MOST_PERIOD values with at most INFER_MOST_RISES in
   between, and where the values, or those less one, are no squares of such numbers either. The
   expression has exactly these values. O(count * INFER_MOST_PERIOD). */
enum { INFER_MOST_PERIOD = 256, INFER_MOST_RISES = 8 };
enum status infer_expression(const char *parameter, uint64_t first, const uint64_t *value,
                             uint32_t count, struct text *text, bool *found, struct error *error);

#endif
