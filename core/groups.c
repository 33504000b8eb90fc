#include "core/groups.h"

#include "core/memory.h"

enum status groups_begin(struct groups *groups, uint32_t lists, struct error *error)
{
    *groups = (struct groups){.lists = lists};
    return memory_create(&groups->first, (size_t)lists + 2, sizeof *groups->first, error);
}

enum status groups_end_counting(struct groups *groups, struct error *error)
{
    for (uint32_t list = 0; list < groups->lists; list++)
        groups->first[list + 2] += groups->first[list + 1];
    return memory_create(&groups->item, groups->first[groups->lists + 1], sizeof *groups->item,
                         error);
}

void groups_free(struct groups *groups)
{
    memory_free_all(groups->first, groups->item);
    *groups = (struct groups){0};
}

enum status groups_create(struct groups *groups, uint32_t lists, const uint32_t *list_of,
                          uint32_t items, struct error *error)
{
    TRY(groups_begin(groups, lists, error));
    for (uint32_t i = 0; i < items; i++)
        groups_count(groups, list_of[i]);
    TRY(groups_end_counting(groups, error));
    for (uint32_t i = 0; i < items; i++)
        groups_add(groups, list_of[i], i);
    return STATUS_OK;
}
