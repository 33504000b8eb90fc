#include "core/names.h"

#include <string.h>

#include "core/known_names.h"
#include "core/memory.h"
#include "core/quick_hash.h"

static uint32_t find_slot(const struct names *names, const char *name)
{
    uint32_t mask = names->slots - 1;
    uint32_t slot = (uint32_t)quick_hash(name, strlen(name)) & mask;
    while (names->slot[slot] && strcmp(names_get(names, names->slot[slot] - 1), name) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

static enum status rebuild_index(struct names *names, uint32_t slots, struct error *error)
{
    uint32_t *slot;
    TRY(memory_create(&slot, slots, sizeof *slot, error));
    memory_free(names->slot);
    names->slot = slot;
    names->slots = slots;
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t place = find_slot(names, names_get(names, i));
        if (!slot[place])
            slot[place] = i + 1;
    }
    return STATUS_OK;
}

enum status names_add(struct names *names, const char *name, struct error *error)
{
    size_t bytes = strlen(name) + 1;
    if (names->count >= UINT32_MAX / 4)
        return error_set(error, STATUS_BAD_INPUT, "more than %u names", UINT32_MAX / 4);
    if (bytes > UINT32_MAX - names->text_used)
        return error_set(error, STATUS_BAD_INPUT, "names of more than %u letters in all",
                         UINT32_MAX);
    TRY(memory_reserve(&names->start, &names->start_capacity, names->count + (size_t)1,
                       sizeof *names->start, error));
    TRY(memory_reserve(&names->text, &names->text_capacity, names->text_used + bytes, 1, error));
    /* Three quarters of the slots, and no more, are in use. Few slots grow fast. */
    enum { FIRST = 16, FEW = 4096 };
    uint32_t times = names->slots < FEW ? 4 : 2;
    if (names->count >= names->slots / 4 * 3)
        TRY(rebuild_index(names, names->slots ? names->slots * times : FIRST, error));
    memcpy(names->text + names->text_used, name, bytes);
    names->start[names->count++] = (uint32_t)names->text_used;
    names->text_used += bytes;
    uint32_t place = find_slot(names, name);
    if (!names->slot[place])
        names->slot[place] = names->count;
    return STATUS_OK;
}

uint32_t names_find(const struct names *names, const char *name)
{
    if (!names->slots)
        return NAMES_NONE;
    uint32_t found = names->slot[find_slot(names, name)];
    return found ? found - 1 : NAMES_NONE;
}

const char *names_get(const struct names *names, uint32_t index)
{
    return names->text + names->start[index];
}

static const char *get_name(const void *names, uint32_t index)
{
    return names_get(names, index);
}

enum status names_refuse(const struct names *names, const char *kind, const char *name,
                         const char *lister, struct error *error)
{
    const struct known_names known = {.kind = kind,
                                      .lister = lister,
                                      .count = names->count,
                                      .name_at = get_name,
                                      .context = names};
    return known_names_refuse(&known, name, strlen(name), error);
}

void names_free(struct names *names)
{
    memory_free_all(names->start, names->text, names->slot);
    *names = (struct names){0};
}
