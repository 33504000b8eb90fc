#include "datasets/generate/series_parallel.h"

#include <assert.h>

#include "core/memory.h"

/* An operator that splits a wire comes right behind the one at which that begins: before all others
   that read of it. */
static void grow(struct random_state *random, uint32_t operators, const struct wires *wires,
                 uint32_t *behind)
{
    uint32_t made = 2, splits = operators - 2;
    wires->wire[0] = (struct wire){0, 1, 0};
    behind[0] = 1;
    for (uint32_t count = 1; count < wires->count; count++) {
        struct wire *chosen = &wires->wire[random_below(random, count)];
        wires->wire[count] = *chosen;
        if (random_below(random, wires->count - count) >= splits)
            continue;
        behind[made] = behind[chosen->from];
        behind[chosen->from] = made;
        wires->wire[count].from = chosen->to = made++;
        splits--;
    }
    assert(made == operators);
}

static void number(uint32_t operators, const struct wires *wires, const uint32_t *behind,
                   uint32_t *place)
{
    for (uint32_t i = 0, v = 0; i < operators; i++, v = behind[v])
        place[v] = i;
    for (uint32_t w = 0; w < wires->count; w++) {
        wires->wire[w].from = place[wires->wire[w].from];
        wires->wire[w].to = place[wires->wire[w].to];
    }
}

enum status series_parallel_draw(struct random_state *random, uint32_t operators,
                                 const struct wires *wires, struct error *error)
{
    uint32_t *behind;
    assert(operators >= 2 && wires->count >= operators - 1);
    TRY(memory_create(&behind, operators, 2 * sizeof *behind, error));
    grow(random, operators, wires, behind);
    number(operators, wires, behind, behind + operators);
    memory_free(behind);
    return STATUS_OK;
}
