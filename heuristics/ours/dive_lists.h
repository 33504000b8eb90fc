#ifndef MEMPLAN_HEURISTICS_OURS_DIVE_LISTS_H
#define MEMPLAN_HEURISTICS_OURS_DIVE_LISTS_H

#include "heuristics/ours/dive_task.h"
#include "heuristics/ours/section_spans.h"

/* Dives along lists of the conflicts of each buffer and of the members of each section, which is
   the fastest way where the lists are short. */
struct dive_lists;

/* Estimates how many bytes the lists of a problem take. */
uint64_t dive_lists_bytes(const struct section_spans *spans);

/* O(sections + bytes of the lists). The caller frees *lists, also after an error; what is not freed
   so is in the scratch. */
enum status dive_lists_create(const struct problem *problem, struct dive_lists **lists,
                              struct scratch *scratch, struct error *error);
void dive_lists_free(struct dive_lists *lists); /* NULL is fine */

/* Does what dive_order promises. O(movables * (sections + members of a section + conflicts of a
   buffer)). */
uint64_t dive_lists_order(struct dive_lists *lists, const struct dive_task *task,
                          struct dive_failures *failures);

uint32_t dive_lists_sections(const struct dive_lists *lists); /* how many there are */
/* Fills member[], which has room for all, with the movable members of a section in ascending order;
   returns their number. */
uint32_t dive_lists_members(const struct dive_lists *lists, uint32_t section, uint32_t *member);

#endif
