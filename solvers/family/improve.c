#include "solvers/family/improve.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "core/sort.h"
#include "solvers/family/orient_exact.h"
#include "solvers/family/pile.h"

enum { CHECKED_EACH = 8 }; /* turns, or buffers, from one look at the clock to the next */

#define INLINE static inline __attribute__((always_inline))

struct mover {
    const struct improvement *improvement;
    struct pile pile;
    pile_lanes *limit, *weight; /* [width] what of a chain is above the limit counts, times that */
    pile_lanes *step;           /* [width] and that, where anything is */
    pile_lanes *rest;           /* [width] the heaviest chains without the buffer taken out */
    pile_lanes *above, *under;  /* [(nears + 1) * width] and [width] around its places */
    double *cost;               /* [nears + 1] of the places near the buffer */
    uint32_t *chain;            /* [length] the buffers of a heaviest chain */
    uint32_t length;
    uint64_t *free_turn; /* [buffers] the first in which each may be moved again */
    uint32_t *sorted;    /* [buffers] as they are inserted */
    struct random_state random;
    struct scratch scratch;
};

static void free_mover(struct mover *mover)
{
    pile_free(&mover->pile);
    scratch_free(&mover->scratch);
}

static enum status create_mover(const struct improvement *improvement, struct mover *mover,
                                struct error *error)
{
    struct scratch *scratch = &mover->scratch;
    size_t buffers = improvement->orienter->problem->buffers;
    mover->improvement = improvement;
    mover->random = random_seed(improvement->seed);
    TRY(pile_create(improvement->vectors, improvement->orienter, &mover->pile, error));
    size_t row = mover->pile.width * sizeof(pile_lanes);
    TRY(scratch_take(scratch, &mover->limit, 1, row, error));
    TRY(scratch_take(scratch, &mover->weight, 1, row, error));
    TRY(scratch_take(scratch, &mover->step, 1, row, error));
    TRY(scratch_take(scratch, &mover->rest, 1, row, error));
    TRY(scratch_take(scratch, &mover->above, mover->pile.most_near, row, error));
    TRY(scratch_take(scratch, &mover->under, 1, row, error));
    TRY(scratch_take(scratch, &mover->cost, mover->pile.most_near, sizeof(double), error));
    TRY(scratch_take(scratch, &mover->chain, buffers, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &mover->sorted, buffers, sizeof(uint32_t), error));
    return scratch_take(scratch, &mover->free_turn, buffers, sizeof(uint64_t), error);
}

/* Chains should be no more than the least ratio. What is above it counts more at the greatest
   sizes, whose peak comes before the worst ratio, unless it is asked for otherwise. */
static void set_limits(struct mover *mover)
{
    static const double greatest_weight = 16, greatest_step = 1;
    double least = family_ratio_value(mover->improvement->least);
    assert(least >= 1);
    for (uint32_t v = 0; v < mover->pile.width * PILE_LANES; v++) {
        mover->limit[v / PILE_LANES][v % PILE_LANES] = least;
        mover->weight[v / PILE_LANES][v % PILE_LANES] = 1;
    }
    if (!mover->improvement->worst_first) {
        mover->weight[0][0] = greatest_weight;
        mover->step[0][0] = greatest_step;
    }
}

/* Turns the weight of chains into what of it counts. */
INLINE void count_excess(const struct mover *mover, uint32_t q, pile_lanes *chain)
{
    typedef int64_t masks __attribute__((vector_size(32), aligned(8), may_alias));
    static const double rounding = 1e-11;
    *chain = (*chain - mover->limit[q]) * mover->weight[q];
    *chain += (pile_lanes)((masks)(*chain > (pile_lanes){0} + rounding) & (masks)mover->step[q]);
}

CLONES static void find_rest(struct mover *mover)
{
    const struct pile *pile = &mover->pile;
    uint32_t width = pile->width;
    for (uint32_t q = 0; q < width; q++)
        mover->rest[q] = (pile_lanes){0};
    for (uint32_t b = 0; b < pile->problem->buffers; b++)
        for (uint32_t q = 0; q < width; q++)
            pile_raise(&mover->rest[q], &pile->reach[PILE_BELOW][(size_t)b * width + q]);
}

INLINE double find_most(const pile_lanes *lanes)
{
    double a = (*lanes)[0], b = (*lanes)[1], c = (*lanes)[2], d = (*lanes)[3];
    a = a > b ? a : b;
    c = c > d ? c : d;
    return a > c ? a : c;
}

/* The chains of the whole order: the worst ratio, the one at the greatest sizes, and a point at
   which most is above the limits. */
struct chains {
    double worst, greatest;
    double cost; /* the most by which any is above its limit, and the sum of all that are */
    uint32_t vector;
    uint32_t drawn; /* one of the points at which any is, or the first */
};

static struct chains find_chains(struct mover *mover)
{
    struct chains chains = {.worst = 0};
    double most = -HUGE_VAL;
    uint32_t equal = 1, points = 0;
    find_rest(mover);
    for (uint32_t v = 0; v < mover->improvement->vectors->count; v++) {
        uint32_t q = v / PILE_LANES, l = v % PILE_LANES;
        pile_lanes counted = mover->rest[q];
        count_excess(mover, q, &counted);
        double ratio = mover->rest[q][l], over = counted[l];
        assert(ratio >= 1 - 1e-9); /* what is live at the step of the load is a chain */
        chains.greatest = v ? chains.greatest : ratio;
        chains.worst = ratio > chains.worst ? ratio : chains.worst;
        chains.cost += over > 0 ? over : 0;
        if (over > 0 && random_below(&mover->random, ++points) == 0)
            chains.drawn = v;
        if (over > most || (over == most && random_below(&mover->random, ++equal) == 0)) {
            equal = over > most ? 1 : equal;
            most = over;
            chains.vector = v;
        }
    }
    chains.cost += most;
    return chains;
}

/* Fills the costs of all places of the buffer that is taken out: how much is above the limits at
   the worst point, and a little of all points, and of its own chains. */
CLONES static void find_costs(struct mover *mover, uint32_t buffer)
{
    static const double all_points = 1, own_chains = 1e-3;
    const struct pile *pile = &mover->pile;
    const pile_lanes *size = pile->size + (size_t)buffer * pile->width;
    pile_lanes *above = mover->above, *below = mover->under, zero = {0};
    uint32_t width = pile->width, nears = pile->nears;
    assert(!pile_has(pile, buffer));
    for (uint32_t q = 0; q < width; q++)
        above[(size_t)nears * width + q] = zero;
    for (uint32_t k = nears; k-- > 0;)
        for (uint32_t q = 0; q < width; q++) {
            above[(size_t)k * width + q] = above[((size_t)k + 1) * width + q];
            pile_raise(&above[(size_t)k * width + q],
                       &pile->reach[PILE_ABOVE][(size_t)pile->near[k] * width + q]);
        }
    for (uint32_t q = 0; q < width; q++)
        count_excess(mover, q, &mover->rest[q]);
    for (uint32_t q = 0; q < width; q++)
        below[q] = zero;
    for (uint32_t k = 0; k <= nears; k++) {
        pile_lanes most = zero - 1e9, own = most, sum = zero;
        for (uint32_t q = 0; q < width; q++) {
            if (k)
                pile_raise(&below[q],
                           &pile->reach[PILE_BELOW][(size_t)pile->near[k - 1] * width + q]);
            pile_lanes over = below[q] + size[q] + above[(size_t)k * width + q];
            count_excess(mover, q, &over);
            pile_raise(&own, &over);
            pile_raise(&over, &mover->rest[q]);
            pile_raise(&most, &over);
            pile_raise(&over, &zero);
            sum += over;
        }
        mover->cost[k] = find_most(&most) + own_chains * find_most(&own) +
                         all_points * (sum[0] + sum[1] + sum[2] + sum[3]);
    }
}

/* Lists the buffers of a heaviest chain from the top down. */
static void list_chain(struct mover *mover, uint32_t vector)
{
    const struct pile *pile = &mover->pile;
    const struct pile_walk walk = {vector, PILE_BELOW, &mover->random};
    mover->length = 0;
    for (uint32_t b = pile_begin_chain(pile, &walk, pile->order, pile->problem->buffers);
         b != ORIENTER_NONE; b = pile_follow_chain(pile, &walk, b)) {
        assert(mover->length < pile->problem->buffers);
        mover->chain[mover->length++] = b;
    }
    assert(mover->length > 0);
}

/* Moves one of a few buffers of the chain; false where all of them were moved a short time ago. */
static bool move_one(struct mover *mover, uint64_t turn)
{
    enum { TRIED = 4, LEAST_TURNS = 5, MORE_TURNS = 20 };
    struct pile *pile = &mover->pile;
    uint32_t best = ORIENTER_NONE, best_below = 0, out = ORIENTER_NONE;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < TRIED && mover->length; i++) {
        uint32_t place = (uint32_t)random_below(&mover->random, mover->length);
        uint32_t b = mover->chain[place];
        mover->chain[place] = mover->chain[--mover->length];
        if (mover->free_turn[b] > turn)
            continue;
        if (out != ORIENTER_NONE)
            pile_put_back(pile);
        pile_take_out(pile, b);
        out = b;
        find_rest(mover);
        find_costs(mover, b);
        for (uint32_t k = 0; k <= pile->nears; k++)
            if (k != pile->below && mover->cost[k] < least) {
                least = mover->cost[k];
                best = b;
                best_below = k;
            }
    }
    if (out != ORIENTER_NONE && best != out)
        pile_put_back(pile);
    if (best == ORIENTER_NONE)
        return false;
    if (best != out)
        pile_take_out(pile, best);
    assert(best_below <= pile->nears && best_below != pile->below);
    pile_put(pile, best, best_below);
    mover->free_turn[best] = turn + LEAST_TURNS + random_below(&mover->random, MORE_TURNS);
    return true;
}

/* Takes over the order where it is better. The pairs are listed only where it may be: alignments
   make no chain lighter. */
static enum status offer(struct mover *mover, const struct chains *chains,
                         struct orientation *orientation, struct family_score *score,
                         struct error *error)
{
    static const double less = 1e-12;
    const struct improvement *improvement = mover->improvement;
    bool worst_first = improvement->worst_first;
    double worst = chains->worst - family_ratio_value(score->worst);
    double greatest =
        chains->greatest - (double)score->peak_bytes / (double)improvement->vectors->load[0];
    double first = worst_first ? worst : greatest, second = worst_first ? greatest : worst;
    if (first > less || (first > -less && second > -less))
        return STATUS_OK;
    SCOPED(orientation_release) struct orientation *tried = NULL;
    TRY(orientation_create(improvement->orienter->problem, &tried, error));
    orienter_orient(improvement->orienter, mover->pile.order, tried);
    struct family_score tried_score = size_vectors_score(improvement->vectors, tried);
    assert(family_ratio_value(tried_score.worst) >= chains->worst * (1 - 1e-9));
    if (family_score_compare(&tried_score, score, worst_first) < 0) {
        orientation_copy(orientation, tried);
        *score = tried_score;
    }
    return STATUS_OK;
}

/* Sizes by their sum over all points, or the greatest, times how long the buffer lives, the square
   root of it, or 1. */
struct insertion {
    const struct mover *mover;
    bool by_greatest;
    int power;
};

static uint64_t find_key(const void *context, uint32_t buffer)
{
    static const double scale = 1 << 20;
    const struct insertion *insertion = context;
    const struct pile *pile = &insertion->mover->pile;
    const pile_lanes *size = pile->size + (size_t)buffer * pile->width;
    double key = 0, life = 0;
    for (uint32_t v = 0; v < insertion->mover->improvement->vectors->count; v++) {
        double own = size[v / PILE_LANES][v % PILE_LANES];
        key = !insertion->by_greatest ? key + own : own > key ? own : key;
    }
    for (uint32_t s = pile->problem->first[buffer]; s < pile->problem->first[buffer + 1]; s++)
        life += pile->problem->upper[s] - pile->problem->lower[s];
    key *= insertion->power == 2 ? life : insertion->power ? sqrt(life) : 1;
    return (uint64_t)(key * scale);
}

/* Puts the buffer, which is out, to the place that leaves the least. */
static void insert(struct mover *mover, uint32_t buffer)
{
    struct pile *pile = &mover->pile;
    uint32_t equal = 1, best = 0;
    pile_list_near(pile, buffer);
    find_rest(mover);
    find_costs(mover, buffer);
    for (uint32_t k = 1; k <= pile->nears; k++)
        if (mover->cost[k] < mover->cost[best]) {
            equal = 1;
            best = k;
        } else if (mover->cost[k] == mover->cost[best] &&
                   random_below(&mover->random, ++equal) == 0) {
            best = k;
        }
    pile_put(pile, buffer, best);
}

/* Makes an order from nothing: inserts one buffer after the other where that leaves the least.
   False where the time is over before. */
static enum status insert_all(struct mover *mover, const struct insertion *insertion, bool *made,
                              struct error *error)
{
    struct pile *pile = &mover->pile;
    const struct sort_key keys[SORT_MOST_KEYS] = {{.value = find_key, .descending = true}};
    TRY(sort_by_keys(keys, insertion, pile->problem->buffers, mover->sorted, error));
    *made = true;
    pile_clear(pile);
    for (uint32_t i = 0; i < pile->problem->buffers && *made; i++) {
        insert(mover, mover->sorted[i]);
        *made = i % CHECKED_EACH || clock_left_ns(mover->improvement->deadline_ns);
    }
    return STATUS_OK;
}

/* Offers an order made by each kind of insertion. */
static enum status offer_insertions(struct mover *mover, struct orientation *orientation,
                                    struct family_score *score, struct error *error)
{
    bool made = true;
    for (int kind = 0; kind < 6; kind++) {
        const struct insertion insertion = {mover, kind % 2, kind / 2};
        TRY(insert_all(mover, &insertion, &made, error));
        if (!made)
            break;
        struct chains chains = find_chains(mover);
        TRY(offer(mover, &chains, orientation, score, error));
    }
    return STATUS_OK;
}

/* Of all chains by their buffers, how much is above the limits: where several are as heavy, this
   says that one of them became lighter, which the heaviest alone does not. */
CLONES static double find_mean_excess(const struct mover *mover)
{
    const struct pile *pile = &mover->pile;
    const pile_lanes zero = {0};
    double total = 0;
    for (uint32_t q = 0; q < pile->width; q++) {
        pile_lanes sum = zero;
        for (size_t i = q; i < (size_t)pile->problem->buffers * pile->width; i += pile->width) {
            pile_lanes through = pile->reach[PILE_BELOW][i] + pile->reach[PILE_ABOVE][i];
            through -= pile->size[i] + mover->limit[q];
            pile_raise(&through, &zero);
            sum += through * mover->weight[q];
        }
        total += sum[0] + sum[1] + sum[2] + sum[3];
    }
    return total / pile->problem->buffers;
}

/* Takes a few buffers out at once, one of a heaviest chain and some that conflict with it, and
   inserts them again, large and long-lived ones mostly first. */
static void renew_some(struct mover *mover)
{
    enum { MOST_OUT = 6, NOISE = 1000 };
    struct pile *pile = &mover->pile;
    const struct insertion insertion = {mover, .power = 2};
    uint32_t out[MOST_OUT], outs = 0;
    uint64_t key[MOST_OUT];
    uint32_t first = mover->chain[random_below(&mover->random, mover->length)];
    pile_list_near(pile, first);
    out[outs++] = first;
    for (uint32_t most = (uint32_t)random_below(&mover->random, MOST_OUT); most && pile->nears;
         most--) {
        uint32_t place = (uint32_t)random_below(&mover->random, pile->nears);
        out[outs++] = pile->near[place];
        pile->near[place] = pile->near[--pile->nears];
    }
    for (uint32_t i = 0; i < outs; i++) {
        uint64_t own = find_key(&insertion, out[i]);
        key[i] = own / NOISE * (NOISE / 3 + random_below(&mover->random, NOISE));
        pile_take_out(pile, out[i]);
    }
    for (; outs; outs--) {
        uint32_t next = 0;
        for (uint32_t i = 1; i < outs; i++)
            next = key[i] > key[next] ? i : next;
        insert(mover, out[next]);
        out[next] = out[outs - 1];
        key[next] = key[outs - 1];
    }
}

/* Anneals: renews some buffers each turn, and goes back where that leaves clearly more. */
static enum status anneal(struct mover *mover, struct orientation *orientation,
                          struct family_score *score, struct error *error)
{
    static const double temperature = 0.002, all_chains = 2;
    enum { DRAWS = 1 << 20 };
    const struct improvement *improvement = mover->improvement;
    struct pile *pile = &mover->pile;
    uint32_t buffers = pile->problem->buffers;
    struct chains chains = find_chains(mover);
    double before = chains.cost + all_chains * find_mean_excess(mover);
    for (uint64_t turn = 1, last = 0; turn - last <= improvement->turns; turn++) {
        if (family_ratio_compare(score->worst, improvement->least) <= 0 ||
            (turn % CHECKED_EACH == 0 && clock_left_ns(improvement->deadline_ns) == 0))
            break;
        memcpy(mover->sorted, pile->order, buffers * sizeof *mover->sorted);
        list_chain(mover, chains.drawn);
        renew_some(mover);
        struct chains tried = find_chains(mover);
        double cost = tried.cost + all_chains * find_mean_excess(mover);
        double drawn = (1 + (double)random_below(&mover->random, DRAWS)) / DRAWS;
        if (cost > before - temperature * log(drawn)) {
            pile_set(pile, mover->sorted);
            continue;
        }
        chains = tried;
        before = cost;
        struct family_score old = *score;
        TRY(offer(mover, &chains, orientation, score, error));
        last = family_score_compare(score, &old, improvement->worst_first) ? turn : last;
    }
    return STATUS_OK;
}

enum status orientation_improve(const struct improvement *improvement,
                                struct orientation *orientation, struct family_score *score,
                                struct error *error)
{
    enum { PATIENCE = 1000, MOST_INSERTED = 1 << 12 };
    SCOPED(free_mover) struct mover mover = {.pile = {.width = 0}};
    SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
    const struct problem *problem = improvement->orienter->problem;
    uint64_t pairs;
    TRY(create_mover(improvement, &mover, error));
    TRY(conflicts_count_pairs(problem, &pairs, error));
    if (pairs <= ORIENT_MOST_PAIRS)
        TRY(conflicts_create(problem, &conflicts, error));
    mover.pile.conflicts = conflicts;
    set_limits(&mover);
    if (improvement->is_first && conflicts && problem->buffers <= MOST_INSERTED)
        TRY(offer_insertions(&mover, orientation, score, error));
    pile_set(&mover.pile, orientation->sorted);
    struct chains chains = find_chains(&mover);
    assert(chains.worst <= family_ratio_value(score->worst) * (1 + 1e-9));
    if (improvement->anneals)
        return anneal(&mover, orientation, score, error);
    for (uint64_t turn = 1, last = 0; turn - last <= improvement->turns; turn++) {
        if (family_ratio_compare(score->worst, improvement->least) <= 0 ||
            (turn % CHECKED_EACH == 0 && clock_left_ns(improvement->deadline_ns) == 0))
            break;
        list_chain(&mover, chains.vector);
        if (!move_one(&mover, turn))
            continue;
        chains = find_chains(&mover);
        struct family_score before = *score;
        TRY(offer(&mover, &chains, orientation, score, error));
        assert(family_score_compare(score, &before, improvement->worst_first) <= 0);
        last = family_score_compare(score, &before, improvement->worst_first) ? turn : last;
        if ((turn - last) % PATIENCE == PATIENCE - 1) {
            pile_set(&mover.pile, orientation->sorted);
            chains = find_chains(&mover);
        }
    }
    return STATUS_OK;
}
