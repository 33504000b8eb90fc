#ifndef MEMPLAN_PLANNING_FAMILY_CORNERS_H
#define MEMPLAN_PLANNING_FAMILY_CORNERS_H

#include "planning/family/family.h"

/* Proves for a whole box of points at once that a ratio is not exceeded there, by what holds at its
   corners. Sizes are spread (planning/sizes/spread.h), so that on the box they are weighted means
   of the sizes at corners. The peak is a maximum of sums of sizes, so it is at most the mean of the
   peaks at the corners with the same weights. The bytes live at one step are a sum of sizes, so
   they are the mean itself. Hence if there is a step that has enough live bytes for the peak at
   each corner, it has enough everywhere in the box. Where the load is at one step in a part of the
   box and at another one in the rest, the box is split where both have equally many bytes; the
   corners of both parts are corners of the box and points between two of them on different
   sides. */
struct corners;

/* *corners is NULL where there are too many corners, or where an alignment may round an offset. The
   family must outlive the corners, which the caller frees. */
enum status corners_create(struct family *family, struct corners **corners, struct error *error);
void corners_free(struct corners *corners); /* NULL is fine */
SCOPED_POINTER(struct corners, corners_release, corners_free);

/* True where it is proved that at no point from lower to upper the orientation's peak is more than
   this many times the load. O(4^variables + 2^variables * segments). */
bool corners_prove(struct corners *corners, const struct orientation *orientation,
                   const uint64_t *lower, const uint64_t *upper, struct family_ratio ratio);

#endif
