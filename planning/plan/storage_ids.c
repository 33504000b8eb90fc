#include "planning/plan/storage_ids.h"

#include <assert.h>

#include "core/memory.h"

enum status storage_ids_set(uint32_t **ids, uint32_t items, uint32_t item, uint32_t id,
                            struct error *error)
{
    assert(item < items);
    if (!*ids) {
        TRY(memory_create(ids, items, sizeof **ids, error));
        for (uint32_t i = 0; i < items; i++)
            (*ids)[i] = STORAGE_IDS_NONE;
    }
    (*ids)[item] = id;
    return STATUS_OK;
}

uint32_t storage_ids_get(const uint32_t *ids, uint32_t item)
{
    return ids ? ids[item] : STORAGE_IDS_NONE;
}
