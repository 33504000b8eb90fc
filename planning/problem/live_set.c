#include "planning/problem/live_set.h"

#include "core/memory.h"

enum status live_set_create(const struct problem *problem, struct live_set *live,
                            struct error *error)
{
    *live = (struct live_set){0};
    TRY(memory_create(&live->segment, problem->segments, sizeof(uint32_t), error));
    enum status status = memory_create(&live->place, problem->segments, sizeof(uint32_t), error);
    if (status)
        live_set_free(live);
    return status;
}

void live_set_free(struct live_set *live)
{
    memory_free(live->segment);
    memory_free(live->place);
    *live = (struct live_set){0};
}

void live_set_insert(struct live_set *live, uint32_t segment)
{
    live->place[segment] = live->count;
    live->segment[live->count++] = segment;
}

void live_set_remove(struct live_set *live, uint32_t segment)
{
    uint32_t moved = live->segment[--live->count];
    live->segment[live->place[segment]] = moved;
    live->place[moved] = live->place[segment];
}
