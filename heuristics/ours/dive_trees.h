#ifndef MEMPLAN_HEURISTICS_OURS_DIVE_TREES_H
#define MEMPLAN_HEURISTICS_OURS_DIVE_TREES_H

#include "heuristics/ours/dive_task.h"
#include "heuristics/ours/section_spans.h"

/* Dives without lists of conflicts or of members. What is placed is known only by its height in
   each section, and the lowest offset of a buffer is computed when it decides a choice. */
struct dive_trees;

/* Uses about 120 bytes for a buffer of one segment, of the scratch but for what dive_trees_free
   frees, also after an error. The spans must outlive the trees. */
enum status dive_trees_create(const struct problem *problem, const struct section_spans *spans,
                              struct dive_trees **trees, struct scratch *scratch,
                              struct error *error);
void dive_trees_free(struct dive_trees *trees); /* NULL is fine */

/* Does what dive_order promises. O(movables * (members of a section + sections where dives failed)
 * log n). */
uint64_t dive_trees_order(struct dive_trees *trees, const struct dive_task *task,
                          struct dive_failures *failures);

uint32_t dive_trees_sections(const struct dive_trees *trees); /* how many there are */
/* Fills member[], which has room for all, with the movable members of a section in ascending order;
   returns their number. */
uint32_t dive_trees_members(struct dive_trees *trees, uint32_t section, uint32_t *member);

#endif
