#ifndef MEMPLAN_PLANNING_ARENA_PLACER_H
#define MEMPLAN_PLANNING_ARENA_PLACER_H

#include "planning/arena/occupancy.h"

/* Places all buffers of a problem one after another, as often as wanted: by the steps at which they
   are live or, where only clocks say which buffers conflict, by lines of steps that are made from
   the clocks (stream_lines.h). Never lists pairs that conflict. */
struct placer;

/* Costs as much as occupancy_create. A problem of clocks alone also costs as much as
   stream_lines_create: with eight streams about 400 bytes for each buffer in all. */
enum status placer_create(const struct problem *problem, struct placer **placer,
                          struct error *error);
void placer_free(struct placer *placer); /* NULL is fine */
SCOPED_POINTER(struct placer, placer_release, placer_free);

/* As occupancy_place_all. */
enum status placer_place_all(struct placer *placer, const struct occupancy_rule *rule,
                             uint64_t *offset, uint64_t *peak_bytes, struct error *error);

#endif
