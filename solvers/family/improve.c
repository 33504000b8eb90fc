#include "solvers/family/improve.h"

#include <assert.h>
#include <math.h>
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

/* What is needed to find the best place for a buffer that is taken out of the order. */
struct mover {
    const struct improvement *improvement;
    struct orientation *current, *tried;
    struct family_score score; /* of the current orientation */
    uint32_t *chain;           /* [buffers] */
    uint32_t *near;            /* [nears] buffers that conflict with the one taken out, rising */
    uint32_t nears;
    bool *is_near;       /* [buffers] */
    uint64_t *head;      /* [buffers] where each lies without the one taken out */
    uint64_t *tail;      /* [buffers] and the bytes above its end */
    uint64_t *most_tail; /* [nears + 1] with size, of near[k] and those above it */
    double *cost;        /* [nears + 1] where it lies right above k of them */
    uint64_t peak_bytes; /* the least at the greatest sizes, which is kept unless worst_first */
    double rest;         /* the worst ratio without the buffer that is taken out */
    double limit;        /* a worse ratio is not taken */
    struct random_state random;
    struct scratch scratch;
};

static void free_mover(struct mover *mover)
{
    orientation_free(mover->current);
    orientation_free(mover->tried);
    scratch_free(&mover->scratch);
}

static enum status create_mover(const struct improvement *improvement, struct mover *mover,
                                struct error *error)
{
    const struct problem *problem = improvement->orienter->problem;
    size_t buffers = problem->buffers;
    mover->improvement = improvement;
    mover->random = random_seed(improvement->seed);
    TRY(orientation_create(problem, &mover->current, error));
    TRY(orientation_create(problem, &mover->tried, error));
    TRY(scratch_take(&mover->scratch, &mover->chain, buffers, sizeof(uint32_t), error));
    TRY(scratch_take(&mover->scratch, &mover->near, buffers, sizeof(uint32_t), error));
    TRY(scratch_take(&mover->scratch, &mover->is_near, buffers, sizeof(bool), error));
    TRY(scratch_take(&mover->scratch, &mover->head, buffers, sizeof(uint64_t), error));
    TRY(scratch_take(&mover->scratch, &mover->tail, buffers, sizeof(uint64_t), error));
    TRY(scratch_take(&mover->scratch, &mover->most_tail, buffers + 1, sizeof(uint64_t), error));
    return scratch_take(&mover->scratch, &mover->cost, buffers + 1, sizeof(double), error);
}

/* Lists what conflicts with the buffer, lowest first; returns how many of them lie below it. */
static uint32_t list_near(struct mover *mover, uint32_t buffer)
{
    const struct problem *problem = mover->improvement->orienter->problem;
    uint32_t below = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        mover->is_near[b] = false;
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            for (uint32_t t = problem->first[buffer]; t < problem->first[buffer + 1]; t++)
                mover->is_near[b] |=
                    problem->lower[s] < problem->upper[t] && problem->lower[t] < problem->upper[s];
    }
    mover->nears = 0;
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t b = mover->current->sorted[i];
        if (b == buffer)
            below = mover->nears;
        else if (mover->is_near[b])
            mover->near[mover->nears++] = b;
    }
    return below;
}

/* Heads and tails by the pairs of mover->tried, whose alignments are not looked at. */
static void find_room(struct mover *mover, const uint64_t *size)
{
    const struct orientation *tried = mover->tried;
    memset(mover->tail, 0, tried->buffers * sizeof *mover->tail);
    for (uint32_t i = 0; i < tried->buffers; i++) {
        uint32_t b = tried->sorted[i];
        uint64_t head = 0;
        for (uint32_t e = tried->first[b]; e < tried->first[b + 1]; e++) {
            uint32_t below = tried->below[e];
            uint64_t end = mover->head[below] + size[below];
            head = end > head ? end : head;
        }
        mover->head[b] = head;
    }
    for (uint32_t i = tried->buffers; i-- > 0;) {
        uint32_t b = tried->sorted[i];
        uint64_t tail = mover->tail[b] + size[b];
        for (uint32_t e = tried->first[b]; e < tried->first[b + 1]; e++)
            if (tail > mover->tail[tried->below[e]])
                mover->tail[tried->below[e]] = tail;
    }
}

/* How many times the load a chain is; above all ratios where it is above what is kept. */
static double rate_chain(uint64_t chain, uint64_t most, uint64_t load)
{
    return chain > most ? HUGE_VAL : (double)chain / (double)load;
}

/* Raises the costs of all places of the buffer to what they are at one point: how many times the
   load the heaviest chain is on which the buffer then lies. The others' goes to mover->rest. */
static void add_costs(struct mover *mover, uint32_t buffer, uint32_t vector)
{
    const struct size_vectors *vectors = mover->improvement->vectors;
    const uint64_t *size = vectors->size + (size_t)vector * mover->current->buffers;
    bool is_kept = vector == 0 && !mover->improvement->worst_first;
    uint64_t most = is_kept ? mover->peak_bytes : UINT64_MAX;
    uint64_t head = 0, rest = 0;
    find_room(mover, size);
    for (uint32_t b = 0; b < mover->current->buffers; b++)
        if (b != buffer && mover->head[b] + size[b] > rest)
            rest = mover->head[b] + size[b];
    mover->rest = fmax(mover->rest, rate_chain(rest, most, vectors->load[vector]));
    mover->most_tail[mover->nears] = 0;
    for (uint32_t k = mover->nears; k-- > 0;) {
        uint64_t tail = mover->tail[mover->near[k]] + size[mover->near[k]];
        mover->most_tail[k] = tail > mover->most_tail[k + 1] ? tail : mover->most_tail[k + 1];
    }
    for (uint32_t k = 0; k <= mover->nears; k++) {
        uint64_t end = k ? mover->head[mover->near[k - 1]] + size[mover->near[k - 1]] : 0;
        head = end > head ? end : head;
        uint64_t chain = head + size[buffer] + mover->most_tail[k];
        mover->cost[k] = fmax(mover->cost[k], rate_chain(chain, most, vectors->load[vector]));
    }
}

/* Makes mover->tried the current order with the buffer above `below` of those near it. */
static void put_buffer(struct mover *mover, uint32_t buffer, uint32_t below)
{
    uint32_t *sorted = mover->tried->sorted, count = 0;
    for (uint32_t i = 0; i < mover->current->buffers; i++) {
        uint32_t b = mover->current->sorted[i];
        if (below < mover->nears && b == mover->near[below])
            sorted[count++] = buffer;
        if (b != buffer)
            sorted[count++] = b;
    }
    if (below == mover->nears)
        sorted[count++] = buffer;
    assert(count == mover->current->buffers);
    orienter_orient(mover->improvement->orienter, sorted, mover->tried);
}

/* Makes mover->tried the current orientation with the buffer in the best other place, of equal ones
   a drawn one. False where there is no other within the limit. */
static bool move_buffer(struct mover *mover, uint32_t buffer)
{
    uint32_t from = list_near(mover, buffer), best = from, equal = 0;
    orienter_orient_without(mover->improvement->orienter, mover->current->sorted, buffer,
                            mover->tried);
    for (uint32_t k = 0; k <= mover->nears; k++)
        mover->cost[k] = 0;
    mover->rest = 0;
    for (uint32_t v = 0; v < mover->improvement->vectors->count; v++)
        add_costs(mover, buffer, v);
    for (uint32_t k = 0; k <= mover->nears; k++) {
        if (k == from || (equal && mover->cost[k] > mover->cost[best]))
            continue;
        equal = equal && mover->cost[k] == mover->cost[best] ? equal + 1 : 1;
        if (random_below(&mover->random, equal) == 0)
            best = k;
    }
    if (!equal || mover->cost[best] > mover->limit || mover->rest > mover->limit)
        return false;
    put_buffer(mover, buffer, best);
    return true;
}

/* The worst ratio up to which the next orientation may be taken: that of the present one, or a
   third more above the load than the least one so far, so that the search leaves local minima. */
static double find_limit(const struct mover *mover, double least)
{
    double present = family_ratio_value(mover->score.worst), loose = least + (least - 1) * 0.3;
    return (present > loose ? present : loose) + 1e-9;
}

enum status orientation_improve(const struct improvement *improvement,
                                struct orientation *orientation, struct family_score *score,
                                struct error *error)
{
    enum { CHECKED_EACH = 8 };
    const struct size_vectors *vectors = improvement->vectors;
    SCOPED(free_mover) struct mover mover = {.score = *score, .peak_bytes = score->peak_bytes};
    double least = family_ratio_value(score->worst);
    TRY(create_mover(improvement, &mover, error));
    orientation_copy(mover.current, orientation);
    for (uint32_t turn = 0, idle = 0; idle < improvement->turns && least > 1; turn++, idle++) {
        if (turn % CHECKED_EACH == 0 && clock_left_ns(improvement->deadline_ns) == 0)
            break;
        uint32_t vector = random_below(&mover.random, 4) ? mover.score.worst_vector : 0;
        uint32_t length = list_chain(vectors, vector, mover.current, mover.chain);
        assert(length && length <= orientation->buffers);
        mover.limit = find_limit(&mover, least);
        if (!move_buffer(&mover, mover.chain[random_below(&mover.random, length)]))
            continue;
        orientation_copy(mover.current, mover.tried);
        mover.score = size_vectors_score(vectors, mover.current);
        if (family_ratio_value(mover.score.worst) < least) {
            least = family_ratio_value(mover.score.worst);
            idle = 0;
        }
        if (family_score_compare(&mover.score, score, improvement->worst_first) < 0) {
            orientation_copy(orientation, mover.current);
            *score = mover.score;
            mover.peak_bytes = score->peak_bytes;
        }
    }
    return STATUS_OK;
}
