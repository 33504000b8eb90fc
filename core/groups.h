#ifndef MEMPLAN_CORE_GROUPS_H
#define MEMPLAN_CORE_GROUPS_H

#include <stdint.h>

#include "core/error.h"

/* Numbers sorted into lists by counting: list l has item[first[l]] .. item[first[l + 1] - 1], in
   the order in which they were added. Each item is given twice, first to be counted, then to be
   added:

       TRY(groups_begin(&groups, lists, error));
       for (...) groups_count(&groups, list);
       TRY(groups_end_counting(&groups, error));
       for (...) groups_add(&groups, list, item); */
struct groups {
    uint32_t lists;
    uint64_t *first; /* [lists + 1] into item */
    uint32_t *item;
};

/* Each leaves *groups fit for groups_free where it fails. */
enum status groups_begin(struct groups *groups, uint32_t lists, struct error *error);
enum status groups_end_counting(struct groups *groups, struct error *error);
void groups_free(struct groups *groups); /* leaves an empty one */

/* While items are added, first[l + 1] says where the next item of list l goes. */
static inline void groups_count(struct groups *groups, uint32_t list)
{
    groups->first[list + 2]++;
}
static inline void groups_add(struct groups *groups, uint32_t list, uint32_t item)
{
    groups->item[groups->first[list + 1]++] = item;
}

/* Sorts the numbers 0 .. items - 1 into lists; list_of[items] is the list of each number. O(items +
   lists). */
enum status groups_create(struct groups *groups, uint32_t lists, const uint32_t *list_of,
                          uint32_t items, struct error *error);

#endif
