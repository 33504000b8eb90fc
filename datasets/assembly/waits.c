#include "datasets/assembly/waits.h"

#include "core/heap.h"
#include "core/memory.h"

enum status waits_create(struct waits *waits, uint32_t nodes, struct error *error)
{
    *waits = (struct waits){.nodes = nodes};
    TRY(memory_create(&waits->first, nodes, sizeof *waits->first, error));
    return memory_create(&waits->missing, nodes, sizeof *waits->missing, error);
}

void waits_free(struct waits *waits)
{
    memory_free(waits->first);
    memory_free(waits->missing);
    memory_free(waits->waiting);
    memory_free(waits->next);
}

enum status waits_add(struct waits *waits, uint32_t earlier, uint32_t later, struct error *error)
{
    size_t needed = (size_t)waits->edges + 1;
    if (earlier == later)
        return STATUS_OK;
    TRY(memory_reserve(&waits->waiting, &waits->waiting_capacity, needed, sizeof *waits->waiting,
                       error));
    TRY(memory_reserve(&waits->next, &waits->next_capacity, needed, sizeof *waits->next, error));
    waits->waiting[waits->edges] = later;
    waits->next[waits->edges] = waits->first[earlier];
    waits->first[earlier] = ++waits->edges;
    waits->missing[later]++;
    return STATUS_OK;
}

enum status waits_sort(struct waits *waits, uint32_t *sorted, uint32_t *done, struct error *error)
{
    SCOPED(heap_free) struct heap ready = {0};
    *done = 0;
    TRY(heap_reserve(&ready, waits->nodes, error));
    for (uint32_t n = 0; n < waits->nodes; n++)
        if (!waits->missing[n])
            TRY(heap_push(&ready, n, n, error));
    while (ready.count) {
        uint32_t node = heap_pop(&ready).value;
        sorted[(*done)++] = node;
        for (uint32_t edge = waits->first[node]; edge; edge = waits->next[edge - 1])
            if (!--waits->missing[waits->waiting[edge - 1]])
                TRY(heap_push(&ready, waits->waiting[edge - 1], waits->waiting[edge - 1], error));
    }
    return STATUS_OK;
}
