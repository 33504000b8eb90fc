#include "solvers/family/improve.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/random.h"

/* Lists the buffers of a heaviest chain from the top down: each lies right on the next. */
static uint32_t list_chain(const struct size_vectors *vectors, uint32_t vector,
                           const struct orientation *orientation, uint32_t *chain)
{
    assert(vector < vectors->count);
    const struct family *family = vectors->family;
    const uint64_t *size = vectors->size + (size_t)vector * orientation->buffers;
    const uint64_t *offset = family->offset;
    uint64_t peak_bytes = family_peak(vectors->family, orientation, size);
    uint32_t length = 0, b = 0;
    while (offset[b] + size[b] != peak_bytes) {
        b++;
        assert(b < orientation->buffers);
    }
    for (bool found = true; found;) {
        assert(length < orientation->buffers);
        chain[length++] = b;
        found = false;
        uint64_t most = 0;
        uint32_t next = b;
        for (uint32_t e = orientation->first[b]; e < orientation->first[b + 1]; e++) {
            uint32_t below = orientation->below[e];
            if (offset[below] + size[below] > most) {
                most = offset[below] + size[below];
                next = below;
                found = true;
            }
        }
        b = next;
    }
    return length;
}

/* Takes the buffer out of the order and puts it before or behind another one. */
static void move_buffer(uint32_t *sorted, uint32_t from, uint32_t to)
{
    uint32_t buffer = sorted[from];
    assert(from != to);
    if (from < to)
        memmove(sorted + from, sorted + from + 1, (to - from) * sizeof *sorted);
    else
        memmove(sorted + to + 1, sorted + to, (from - to) * sizeof *sorted);
    sorted[to] = buffer;
}

enum status orientation_improve(const struct improvement *improvement,
                                struct orientation *orientation, struct family_score *score,
                                struct error *error)
{
    enum { CHECKED_EACH = 8 };
    struct orienter *orienter = improvement->orienter;
    const struct size_vectors *vectors = improvement->vectors;
    SCOPED(orientation_release) struct orientation *tried = NULL;
    SCOPED(memory_release) uint32_t *chain = NULL;
    SCOPED(memory_release) uint32_t *place = NULL;
    uint32_t buffers = orientation->buffers, idle = 0;
    struct random_state random = random_seed(improvement->seed);
    TRY(orientation_create(orienter->problem, &tried, error));
    TRY(memory_create(&chain, buffers, sizeof *chain, error));
    TRY(memory_create(&place, buffers, sizeof *place, error));
    for (uint32_t turn = 0; idle < improvement->turns && buffers > 1; turn++, idle++) {
        if (turn % CHECKED_EACH == 0 && clock_left_ns(improvement->deadline_ns) == 0)
            break;
        uint32_t vector = random_below(&random, 4) ? score->worst_vector : 0;
        uint32_t length = list_chain(vectors, vector, orientation, chain);
        assert(length <= buffers);
        assert(vector < vectors->count);
        if (length < 2)
            continue;
        for (uint32_t i = 0; i < buffers; i++)
            place[orientation->sorted[i]] = i;
        uint32_t moved = (uint32_t)random_below(&random, length);
        uint32_t other = (uint32_t)random_below(&random, length - 1);
        other += other >= moved;
        uint32_t from = place[chain[moved]], to = place[chain[other]];
        assert(from < buffers && to < buffers);
        memcpy(tried->sorted, orientation->sorted, buffers * sizeof *tried->sorted);
        move_buffer(tried->sorted, from, to);
        orienter_orient(orienter, tried->sorted, tried);
        struct family_score reached = size_vectors_score(vectors, tried);
        int compared = family_score_compare(&reached, score, improvement->worst_first);
        if (compared > 0)
            continue;
        idle = compared < 0 ? 0 : idle;
        orientation_copy(orientation, tried);
        *score = reached;
    }
    return STATUS_OK;
}
