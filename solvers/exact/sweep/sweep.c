#include "solvers/exact/sweep/sweep.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/random.h"
#include "solvers/exact/race/cheapest.h"
#include "solvers/exact/sweep/blocks.h"
#include "solvers/exact/sweep/border.h"
#include "solvers/exact/sweep/lay_out.h"
#include "solvers/exact/sweep/order_tree.h"
#include "solvers/exact/sweep/pieces.h"

enum {
    FIRST_WIDTH = 8,                /* states in the first two passes */
    DOUBLINGS = 9,                  /* of the width, each after two passes */
    OFFERS = 4 * (BLOCKS_MOST + 1), /* at a border, for each state, at most */
};

/* One more place at a border costs the logarithm of how often sums of that many buffers are equal
   by chance, each buffer in a sum or not, in a range of e^sum_range bytes; nothing where that is
   more than once. A drawn number adds at most most_noise from the third pass on. All in units of
   the logarithm of the orders that are left. */
static const double log_choices = 0.69, sum_range = 6, most_noise = 3;

/* All orders that are open at a border, with some of its buffers exchanged. */
struct sweep_state {
    struct order_node *tree;
    double cost;
    uint32_t step;      /* the last one that led to it before the block */
    struct block left;  /* bits of the buffers that are still to be exchanged */
    struct block block; /* the exchange that made it */
};

/* A block that was exchanged: member[first ..], what ends and then what begins. */
struct sweep_step {
    uint32_t before; /* EXACT_NONE for the first */
    size_t first;
    uint32_t endings, beginnings;
};

struct exact_sweep {
    const struct exact_model *model;
    struct sweep_pieces pieces;
    struct order_pool pool;             /* of all trees */
    struct exact_cheapest partly, done; /* of the next states, by what is left at the border */
    struct sweep_state *state;          /* [width] */
    uint32_t states, width;
    struct sweep_step *step;
    size_t steps, steps_room;
    uint32_t *member;
    size_t members, members_room;
    struct block_set *ending, *beginning; /* [BLOCKS_MOST_SETS] */
    uint32_t beginnings;
    uint64_t listed;           /* the bits of which `beginning` lists the sets */
    bool *mark;                /* [pieces] */
    uint8_t *bit;              /* [pieces] of the border */
    uint32_t *leaf;            /* [pieces] */
    struct order_node **stack; /* [4 * pieces] */
    struct order_node **part;  /* [pieces] */
    double *log_factorial;     /* [pieces + 1] */
    struct random_state random;
    uint64_t capacity;                /* UINT64_MAX before the first one */
    uint32_t pass, border;            /* how far it is */
    struct scratch memory, of_pieces; /* the latter of the arrays by pieces */
};

enum status exact_sweep_create(const struct exact_model *model, struct exact_sweep **created,
                               struct error *error)
{
    SCOPED(exact_sweep_release) struct exact_sweep *sweep = NULL;
    *created = NULL;
    if (!sweep_pieces_can(model))
        return STATUS_OK;
    TRY(memory_create(&sweep, 1, sizeof *sweep, error));
    sweep->model = model;
    sweep->capacity = UINT64_MAX;
    *created = sweep;
    sweep = NULL;
    return STATUS_OK;
}

void exact_sweep_free(struct exact_sweep *sweep)
{
    if (!sweep)
        return;
    sweep_pieces_free(&sweep->pieces);
    scratch_free(&sweep->of_pieces);
    order_pool_free(&sweep->pool);
    exact_cheapest_clear(&sweep->partly);
    exact_cheapest_clear(&sweep->done);
    memory_free(sweep->state);
    memory_free(sweep->step);
    memory_free(sweep->member);
    scratch_free(&sweep->memory);
    memory_free(sweep);
}

static bool runs_backwards(const struct exact_sweep *sweep)
{
    return sweep->pass % 2 == 1;
}

static int count_bits(uint64_t bits)
{
    return __builtin_popcountll(bits);
}

/* Keeps a state if it is one of the best so far. */
static enum status offer(struct exact_sweep *sweep, const struct sweep_state *state)
{
    struct exact_cheapest *cheapest = state->left.ending ? &sweep->partly : &sweep->done;
    assert(!state->left.ending == !state->left.beginning && sweep->width > 0);
    double price = state->cost - order_tree_freedom(state->tree, sweep->log_factorial);
    if (sweep->pass > 1)
        price += most_noise * (double)(random_next(&sweep->random) >> 11) / (double)(1ULL << 53);
    if (cheapest->taken >= sweep->width * OFFERS || !exact_cheapest_wants(cheapest, price))
        return STATUS_OK;
    struct sweep_state *kept = exact_cheapest_add(cheapest, price, order_tree_digest(state->tree));
    if (kept)
        *kept = *state;
    return STATUS_OK;
}

/* Counts the marks of what ends in the tree; sweep->leaf then has it. Returns how many
   there are. */
static uint32_t count_ending(struct exact_sweep *sweep, const struct sweep_border *border,
                             struct order_node *tree, uint64_t bits)
{
    uint32_t count = sweep_border_list(border, &border->ending, bits, sweep->leaf);
    for (uint32_t i = 0; i < count; i++)
        sweep->mark[sweep->leaf[i]] = true;
    order_tree_count(tree, sweep->mark);
    for (uint32_t i = 0; i < count; i++)
        sweep->mark[sweep->leaf[i]] = false;
    assert(tree->marked == count);
    return count;
}

/* Offers the state in which a block of the given one was exchanged, where what ends can lie side by
   side. */
static enum status exchange(struct exact_sweep *sweep, const struct sweep_border *border,
                            const struct sweep_state *state, struct block block,
                            struct error *error)
{
    struct order_node *placed;
    struct sweep_state made = *state;
    assert(block.ending && !(block.ending & ~state->left.ending));
    assert(block.beginning && !(block.beginning & ~state->left.beginning));
    uint32_t count = sweep_border_list(border, &border->beginning, block.beginning, sweep->leaf);
    TRY(order_tree_group(&sweep->pool, sweep->leaf, count, &placed, error));
    count_ending(sweep, border, state->tree, block.ending);
    TRY(order_tree_replace(&sweep->pool, state->tree, placed, sweep->stack, &made.tree, error));
    if (!made.tree)
        return STATUS_OK;
    made.block = block;
    assert(made.tree->leaves + state->tree->marked == state->tree->leaves + count);
    made.left.ending &= ~block.ending;
    made.left.beginning &= ~block.beginning;
    if (made.left.ending)
        made.cost += fmin(0, log_choices * (double)(count_bits(state->left.ending) +
                                                    count_bits(state->left.beginning)) -
                                 sum_range);
    return offer(sweep, &made);
}

static uint32_t list_items(const uint64_t *size, const uint32_t *piece, uint64_t bits,
                           struct block_item *item)
{
    uint32_t items = 0;
    for (; bits; bits &= bits - 1) {
        uint32_t bit = (uint32_t)__builtin_ctzll(bits);
        assert(items < BLOCKS_MOST_ITEMS);
        item[items++] = (struct block_item){size[piece[bit]], UINT64_C(1) << bit};
    }
    return items;
}

/* What ends and is left, as items that most likely lie side by side: the highest nodes of the tree
   that have nothing else or, of a single one, its leaves. */
static uint32_t list_ending(struct exact_sweep *sweep, const struct sweep_border *border,
                            const struct sweep_state *state, struct block_item *item)
{
    uint32_t parts = 0;
    count_ending(sweep, border, state->tree, state->left.ending);
    order_tree_parts(state->tree, sweep->part, &parts);
    assert(parts > 0 && parts <= BLOCKS_MOST_ITEMS);
    if (parts == 1)
        return list_items(sweep->pieces.size, border->ending.piece, state->left.ending, item);
    for (uint32_t p = 0; p < parts; p++) {
        item[p] = (struct block_item){0, 0};
        order_tree_leaves(sweep->part[p], sweep->leaf);
        for (uint32_t i = 0; i < sweep->part[p]->leaves; i++) {
            item[p].size += sweep->pieces.size[sweep->leaf[i]];
            item[p].bits |= UINT64_C(1) << sweep->bit[sweep->leaf[i]];
        }
    }
    return parts;
}

/* Adds what ends below a node to the set. */
static void add_marked(const struct exact_sweep *sweep, const struct order_node *node,
                       struct block_set *set)
{
    if (!node->children && node->marked) {
        set->sum += sweep->pieces.size[node->buffer];
        set->bits |= UINT64_C(1) << sweep->bit[node->buffer];
    }
    for (uint32_t i = 0; i < node->children && node->marked; i++)
        add_marked(sweep, node->child[i], set);
}

/* The sets that the tree suggests, for each node above the lowest part: all that ends below the
   node and, of a sequence, below the first of its children that have some. Returns how many sets
   there are then. */
static uint32_t list_suggested(const struct exact_sweep *sweep, const struct order_node *node,
                               uint32_t sets)
{
    struct block_set all = {0, 0}, run = {0, 0};
    uint32_t first = 0, end;
    if (node->marked == node->leaves)
        return sets;
    assert(node->marked > 0 && node->children > 0);
    while (!node->child[first]->marked)
        first++;
    for (end = first; end < node->children && node->child[end]->marked; end++)
        add_marked(sweep, node->child[end], &run);
    all = run;
    for (uint32_t i = end; i < node->children; i++)
        add_marked(sweep, node->child[i], &all);
    if (sets + 2 <= BLOCKS_MOST_SETS) {
        sweep->ending[sets++] = all;
        sweep->ending[sets++] = node->is_sequence ? run : all;
    }
    return list_suggested(sweep, node->child[first], sets);
}

/* Offers what may come of a state: all that ends lies side by side, or leaves several places. Then
   the place with the lowest of it comes next. */
static enum status expand(struct exact_sweep *sweep, const struct sweep_border *border,
                          const struct sweep_state *state, struct error *error)
{
    struct block_item item[BLOCKS_MOST_ITEMS];
    struct block block[BLOCKS_MOST];
    struct block left = state->left;
    TRY(exchange(sweep, border, state, left, error));
    if (!border->has_bits || !(left.ending & (left.ending - 1)) ||
        !(left.beginning & (left.beginning - 1)))
        return STATUS_OK;
    if (sweep->listed != left.beginning) {
        uint32_t items =
            list_items(sweep->pieces.size, border->beginning.piece, left.beginning, item);
        sweep->beginnings = blocks_list(item, items, sweep->beginning);
        sweep->beginnings = blocks_sort(sweep->beginning, sweep->beginnings);
        sweep->listed = left.beginning;
    }
    uint32_t items = list_ending(sweep, border, state, item);
    uint32_t endings = blocks_list(item, items, sweep->ending);
    endings = blocks_sort(sweep->ending, list_suggested(sweep, state->tree, endings));
    uint32_t blocks = blocks_match(sweep->ending, endings, item[0].bits, sweep->beginning,
                                   sweep->beginnings, block);
    for (uint32_t i = 0; i < blocks; i++)
        TRY(exchange(sweep, border, state, block[i], error));
    return STATUS_OK;
}

/* Notes how the state came about. */
static enum status add_step(struct exact_sweep *sweep, const struct sweep_border *border,
                            struct sweep_state *state, struct error *error)
{
    struct block block = state->block;
    size_t most = sweep->members + border->ending.count + border->beginning.count;
    TRY(memory_reserve(&sweep->step, &sweep->steps_room, sweep->steps + 1, sizeof *sweep->step,
                       error));
    TRY(memory_reserve(&sweep->member, &sweep->members_room, most, sizeof *sweep->member, error));
    struct sweep_step *step = &sweep->step[sweep->steps];
    uint32_t *member = sweep->member + sweep->members;
    step->before = state->step;
    step->first = sweep->members;
    step->endings = sweep_border_list(border, &border->ending, block.ending, member);
    step->beginnings =
        sweep_border_list(border, &border->beginning, block.beginning, member + step->endings);
    sweep->members += step->endings + step->beginnings;
    assert(step->endings > 0 && step->beginnings > 0 && sweep->members <= sweep->members_room);
    state->step = (uint32_t)sweep->steps++;
    return STATUS_OK;
}

/* Makes the best states that were offered those of the sweep. */
static enum status take_states(struct exact_sweep *sweep, const struct sweep_border *border,
                               const struct exact_cheapest *offered, struct error *error)
{
    assert(offered->count <= sweep->width);
    sweep->states = offered->count;
    for (uint32_t i = 0; i < offered->count; i++) {
        sweep->state[i] = *(const struct sweep_state *)exact_cheapest_at(offered, i);
        TRY(add_step(sweep, border, &sweep->state[i], error));
    }
    return STATUS_OK;
}

/* Copies the trees of the states, and frees all others. */
static enum status keep_states(struct exact_sweep *sweep, struct error *error)
{
    struct order_pool kept = {.used = 0};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < sweep->states && !status; i++)
        status = order_tree_copy(&kept, sweep->state[i].tree, &sweep->state[i].tree, error);
    order_pool_free(&sweep->pool);
    sweep->pool = kept;
    return status;
}

static enum status cross_border(struct exact_sweep *sweep, struct error *error)
{
    const struct sweep_border border =
        sweep_border_find(&sweep->pieces, runs_backwards(sweep), sweep->border++);
    assert(sweep->states > 0 && sweep->states <= sweep->width);
    sweep->listed = 0;
    assert(!border.ending.count == !border.beginning.count);
    if (!border.ending.count)
        return STATUS_OK;
    for (uint32_t i = 0; i < border.ending.count && border.has_bits; i++)
        sweep->bit[border.ending.piece[i]] = (uint8_t)i;
    for (uint32_t i = 0; i < sweep->states; i++)
        sweep->state[i].left = (struct block){sweep_border_bits(&border, &border.ending),
                                              sweep_border_bits(&border, &border.beginning)};
    exact_cheapest_empty(&sweep->done);
    while (sweep->states) {
        exact_cheapest_empty(&sweep->partly);
        for (uint32_t i = 0; i < sweep->states; i++)
            TRY(expand(sweep, &border, &sweep->state[i], error));
        TRY(take_states(sweep, &border, &sweep->partly, error));
    }
    TRY(take_states(sweep, &border, &sweep->done, error));

    return keep_states(sweep, error);
}

static enum status set_width(struct exact_sweep *sweep, struct error *error)
{
    uint32_t doublings = sweep->pass / 2 < DOUBLINGS ? sweep->pass / 2 : DOUBLINGS;
    uint32_t width = (uint32_t)FIRST_WIDTH << doublings;
    if (width == sweep->width)
        return STATUS_OK;
    memory_free(sweep->state);
    exact_cheapest_clear(&sweep->partly);
    exact_cheapest_clear(&sweep->done);
    sweep->state = NULL;
    sweep->width = 0;
    TRY(memory_create(&sweep->state, width, sizeof *sweep->state, error));
    TRY(exact_cheapest_fill(&sweep->partly, width, width * OFFERS, sizeof *sweep->state, error));
    TRY(exact_cheapest_fill(&sweep->done, width, width * OFFERS, sizeof *sweep->state, error));
    sweep->width = width;
    return STATUS_OK;
}

static enum status begin_pass(struct exact_sweep *sweep, struct error *error)
{
    assert(sweep->pieces.count > 0);
    sweep->border = sweep->states = 0;
    sweep->steps = sweep->members = 0;
    TRY(set_width(sweep, error));
    order_pool_free(&sweep->pool);
    struct sweep_group start = sweep_border_start(&sweep->pieces, runs_backwards(sweep));
    sweep->state[sweep->states++] = (struct sweep_state){.step = EXACT_NONE};
    return order_tree_group(&sweep->pool, start.piece, start.count, &sweep->state[0].tree, error);
}

static enum status lay_out(struct exact_sweep *sweep, uint64_t *offset, struct error *error)
{
    uint32_t blocks = 0;
    SCOPED(memory_release) struct sweep_block *block = NULL;
    SCOPED(memory_release) uint64_t *of_pieces = NULL;
    for (uint32_t s = sweep->state[0].step; s != EXACT_NONE; s = sweep->step[s].before)
        blocks++;
    assert(sweep->states > 0 && sweep->border + 1 == sweep->model->sections);
    TRY(memory_create(&block, blocks, sizeof *block, error));
    uint32_t at = blocks;
    for (uint32_t s = sweep->state[0].step; s != EXACT_NONE; s = sweep->step[s].before) {
        const struct sweep_step *step = &sweep->step[s];
        const uint32_t *member = sweep->member + step->first;
        block[--at] =
            (struct sweep_block){member, member + step->endings, step->endings, step->beginnings};
    }
    struct sweep_group start = sweep_border_start(&sweep->pieces, runs_backwards(sweep));
    TRY(memory_create(&of_pieces, sweep->pieces.count, sizeof *of_pieces, error));
    TRY(sweep_lay_out(&sweep->pieces, start.piece, start.count, block, blocks, of_pieces, error));
    memcpy(offset, of_pieces, sweep->model->buffers * sizeof *offset);
    return STATUS_OK;
}

/* Makes the pieces of another capacity. */
static enum status begin_capacity(struct exact_sweep *sweep, uint64_t capacity, struct error *error)
{
    struct scratch *memory = &sweep->of_pieces;
    scratch_free(memory);
    sweep->capacity = capacity;
    sweep->pass = 0;
    sweep->random = random_seed(capacity);
    TRY(sweep_pieces_fill(sweep->model, capacity, &sweep->pieces, error));
    /* Large, and most of many small components are solved without. */
    if (!sweep->ending)
        TRY(scratch_take(&sweep->memory, &sweep->ending, BLOCKS_MOST_SETS, sizeof *sweep->ending,
                         error));
    if (!sweep->beginning)
        TRY(scratch_take(&sweep->memory, &sweep->beginning, BLOCKS_MOST_SETS,
                         sizeof *sweep->beginning, error));
    size_t pieces = sweep->pieces.count;
    TRY(scratch_take_all(memory, pieces, error, &sweep->mark, &sweep->bit, &sweep->leaf,
                         &sweep->part));
    TRY(scratch_take(memory, &sweep->stack, 4 * pieces, sizeof *sweep->stack, error));
    TRY(scratch_take(memory, &sweep->log_factorial, pieces + 3, sizeof(double), error));
    for (size_t i = 2; i < pieces + 3; i++)
        sweep->log_factorial[i] = sweep->log_factorial[i - 1] + log((double)i);
    return pieces ? begin_pass(sweep, error) : STATUS_OK;
}

enum status exact_sweep_run(struct exact_sweep *sweep, const struct exact_round *round,
                            uint32_t passes, struct exact_answer *answer, struct error *error)
{
    assert(answer->offset && round->capacity < UINT64_MAX);
    assert(!sweep->states || sweep->border < sweep->model->sections);
    answer->outcome = EXACT_STOPPED;
    if (sweep->capacity != round->capacity)
        TRY(begin_capacity(sweep, round->capacity, error));
    while (sweep->pieces.count && sweep->pass < passes && clock_left_ns(round->deadline_ns)) {
        if (!sweep->states) {
            sweep->pass++;
            TRY(begin_pass(sweep, error));
        } else if (sweep->border + 1 < sweep->model->sections) {
            TRY(cross_border(sweep, error));
        } else {
            answer->outcome = EXACT_FOUND;
            return lay_out(sweep, answer->offset, error);
        }
        if (sweep->pass < passes && !clock_left_ns(round->pause_ns)) {
            answer->paused = true;
            return STATUS_OK;
        }
    }
    return STATUS_OK;
}
