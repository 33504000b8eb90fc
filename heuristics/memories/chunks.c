/* The allocator of ggml, which llama.cpp plans with: buffers in the order in which they are made,
   each in a free block of the chunks in use, or in a new chunk. Chunks are arenas here, those of
   the first memory first. It knows nothing of penalties, and of pairs that are kept apart although
   they live at different steps. */

#include <stdlib.h>

#include "core/checked.h"
#include "core/sort.h"
#include "heuristics/memories/place.h"
#include "heuristics/memories/rows.h"

struct block {
    uint64_t lower, upper;
};

struct chunks {
    const struct memory_model *model;
    struct placing placing;
    uint32_t *lower, *upper; /* [nodes] steps in which each lives, without its holes */
    uint64_t *reached;       /* [arenas] the highest end so far */
    bool *opened;            /* [arenas] */
    struct block *live;      /* [nodes] of one chunk, by offset */
    struct block *free;      /* [nodes + 1] of the same chunk, by offset */
};

static int compare_blocks(const void *left, const void *right)
{
    const struct block *a = left, *b = right;
    return (a->lower > b->lower) - (a->lower < b->lower);
}

/* Lists the free blocks of a chunk when a node is made, from their first aligned bytes on; returns
   how many there are. */
static uint32_t list_free(struct chunks *chunks, uint32_t node, uint32_t arena, uint64_t alignment)
{
    const struct memory_model *model = chunks->model;
    uint64_t end = model->arena[arena].capacity, at = 0;
    uint32_t count = 0, blocks = 0;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        uint64_t bytes;
        if (chunks->placing.arena[n] != arena ||
            (chunks->upper[n] <= chunks->lower[node] && !memory_model_conflict(model, n, node)))
            continue;
        bytes = align_up(model->nodes->size[n], memory_model_alignment(model, n, arena));
        chunks->live[count++] =
            (struct block){chunks->placing.offset[n], chunks->placing.offset[n] + bytes};
    }
    qsort(chunks->live, count, sizeof *chunks->live, compare_blocks);
    for (uint32_t i = 0; i < count; i++) {
        if (chunks->live[i].lower > at)
            chunks->free[blocks++] = (struct block){at, chunks->live[i].lower};
        /* Those that are kept apart from the node at other steps may lie on each other. */
        uint64_t above = align_up(chunks->live[i].upper, alignment);
        at = above > at ? above : at;
    }
    if (at < end)
        chunks->free[blocks++] = (struct block){at, end};
    return blocks;
}

/* By how many bytes the node would end below the end of its chunk; below 0 where the chunk would
   grow. */
static int64_t find_reuse(const struct chunks *chunks, uint32_t arena, const struct block *block,
                          uint64_t bytes)
{
    return (int64_t)chunks->reached[arena] - (int64_t)block->lower - (int64_t)bytes;
}

/* The block that the node gets: the tightest of a chunk but its last, of the last chunk that has
   one; else the last block of a chunk that grows least or is reused most; else a new chunk. */
static bool find_block(struct chunks *chunks, uint32_t node, struct place_found *found)
{
    const struct memory_model *model = chunks->model;
    struct place_found last = {.arena = MEMORY_NONE};
    int64_t reuse = 0;
    *found = last;
    for (uint32_t a = 0; a < model->arenas; a++) {
        uint64_t alignment = memory_model_alignment(model, node, a), best = UINT64_MAX;
        uint64_t bytes = align_up(model->nodes->size[node], alignment);
        if (!chunks->opened[a] || memory_model_traffic(model, node, a) == UINT64_MAX)
            continue;
        uint32_t blocks = list_free(chunks, node, a, alignment);
        for (uint32_t i = 0; i + 1 < blocks; i++) {
            uint64_t room = chunks->free[i].upper - chunks->free[i].lower;
            if (room < bytes || room > best)
                continue;
            best = room;
            *found = (struct place_found){a, chunks->free[i].lower, 0};
        }
        const struct block *end = &chunks->free[blocks ? blocks - 1 : 0];
        if (!blocks || end->upper - end->lower < bytes)
            continue;
        int64_t own = find_reuse(chunks, a, end, bytes);
        if (last.arena == MEMORY_NONE || (reuse < 0 && own > reuse) || (own >= 0 && own < reuse)) {
            last = (struct place_found){a, end->lower, 0};
            reuse = own;
        }
    }
    if (found->arena == MEMORY_NONE)
        *found = last;
    for (uint32_t a = 0; a < model->arenas && found->arena == MEMORY_NONE; a++)
        if (!chunks->opened[a] && memory_model_traffic(model, node, a) != UINT64_MAX)
            *found = (struct place_found){.arena = a};
    return found->arena != MEMORY_NONE;
}

static enum status create_chunks(struct chunks *chunks, struct scratch *scratch,
                                 struct error *error)
{
    const struct problem *nodes = chunks->model->nodes;
    uint32_t count = chunks->model->classes.count;
    TRY(placing_create(chunks->model, scratch, &chunks->placing, error));
    TRY(scratch_take_all(scratch, count, error, &chunks->lower, &chunks->upper, &chunks->live));
    TRY(scratch_take_all(scratch, chunks->model->arenas, error, &chunks->reached, &chunks->opened));
    TRY(scratch_take(scratch, &chunks->free, (size_t)count + 1, sizeof *chunks->free, error));
    for (uint32_t n = 0; n < count; n++) {
        chunks->lower[n] = nodes->lower[nodes->first[n]];
        chunks->upper[n] = nodes->upper[nodes->first[n + 1] - 1];
    }
    return STATUS_OK;
}

static enum status plan_chunks(const struct memory_task *task, struct memory_plan *plan,
                               struct error *error)
{
    const struct memory_model *model = task->model;
    struct chunks chunks = {.model = model};
    uint32_t count = model->classes.count, *order;
    TRY(create_chunks(&chunks, task->scratch, error));
    TRY(scratch_take(task->scratch, &order, count, sizeof *order, error));
    const struct sort_key keys[SORT_MOST_KEYS] = {{SORT_ARRAY(chunks.lower)}};
    TRY(sort_by_keys(keys, NULL, count, order, error));
    for (uint32_t i = 0; i < count; i++) {
        struct place_found found;
        if (!find_block(&chunks, order[i], &found) ||
            !placing_fits(&chunks.placing, order[i], found))
            return STATUS_OK;
        uint64_t end = found.offset + model->nodes->size[order[i]];
        placing_put(&chunks.placing, order[i], found);
        chunks.opened[found.arena] = true;
        if (end > chunks.reached[found.arena])
            chunks.reached[found.arena] = end;
    }
    placing_read(&chunks.placing, plan);
    return STATUS_OK;
}

const struct memory_planner memory_planner_ggml_chunks = {
    .name = "ggml_chunks",
    .title = "free blocks of chunks in the order in which buffers are made",
    .source = "ggml-org/ggml d99724f2b141, src/ggml-alloc.c",
    .flags = MEMORY_PLANNER_NO_PINS,
    .plan = plan_chunks};
