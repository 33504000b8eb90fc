#include "solvers/family/orient_exact.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/clock.h"
#include "core/sort.h"
#include "planning/problem/conflicts.h"

enum side { OPEN, FIRST_BELOW, SECOND_BELOW };

struct pair {
    uint32_t first, second;
};

/* Each depth of the search keeps all decisions, heads and tails. That is little memory, since few
   problems of more than a hundred buffers are decided here. */
struct tree {
    const struct orient_search *search;
    const struct problem *problem;
    uint32_t buffers, points, pairs;
    struct pair *pair; /* [pairs] */
    uint8_t *side;     /* [pairs] enum side */
    uint64_t *head;    /* [points * buffers] */
    uint64_t *tail;    /* [points * buffers] bytes above the end of the buffer */
    uint64_t *above;   /* [buffers * words] of each a bit for each buffer that lies above it */
    uint32_t words;
    uint64_t nodes;
    bool is_cut; /* a limit of the search was reached */
    struct orientation *orientation;
    uint64_t *key; /* [buffers] */
    struct scratch scratch;
};

static void free_tree(struct tree *tree)
{
    scratch_free(&tree->scratch);
}

static const uint64_t *get_sizes(const struct tree *tree, uint32_t point)
{
    assert(point < tree->points);
    return tree->search->vectors->size + (size_t)point * tree->buffers;
}

/* Whether `high` may lie above `low` at all points. */
static bool may_stack(const struct tree *tree, uint32_t low, uint32_t high)
{
    assert(low != high);
    for (uint32_t i = 0; i < tree->points; i++) {
        const uint64_t *size = get_sizes(tree, i), *limit = tree->search->limit;
        const uint64_t *head = tree->head + (size_t)i * tree->buffers;
        const uint64_t *tail = tree->tail + (size_t)i * tree->buffers;
        uint64_t begin = align_up(head[low] + size[low], problem_alignment(tree->problem, high));
        if (begin + size[high] + tail[high] > limit[i])
            return false;
    }
    return true;
}

/* Raises head of `high` and tail of `low`; true where one of them was raised. */
static bool stack_pair(struct tree *tree, uint32_t low, uint32_t high)
{
    assert(low < tree->buffers && high < tree->buffers);
    bool raised = false;
    assert(low != high);
    for (uint32_t i = 0; i < tree->points; i++) {
        const uint64_t *size = get_sizes(tree, i);
        uint64_t *head = tree->head + (size_t)i * tree->buffers;
        uint64_t *tail = tree->tail + (size_t)i * tree->buffers;
        uint64_t begin = align_up(head[low] + size[low], problem_alignment(tree->problem, high));
        uint64_t above = size[high] + tail[high];
        if (begin > head[high]) {
            head[high] = begin;
            raised = true;
        }
        if (above > tail[low]) {
            tail[low] = above;
            raised = true;
        }
    }
    return raised;
}

static bool fits_limits(const struct tree *tree)
{
    for (uint32_t i = 0; i < tree->points; i++)
        for (uint32_t b = 0; b < tree->buffers; b++) {
            size_t at = (size_t)i * tree->buffers + b;
            if (tree->head[at] + get_sizes(tree, i)[b] + tree->tail[at] > tree->search->limit[i])
                return false;
        }
    return true;
}

static bool is_above(const struct tree *tree, uint32_t low, uint32_t high)
{
    assert(low < tree->buffers && high < tree->buffers);
    return tree->above[(size_t)low * tree->words + high / 64] >> high % 64 & 1;
}

/* Decides a pair: `high`, with all above it, is above `low` and all below that. */
static void decide(struct tree *tree, uint32_t low, uint32_t high)
{
    const uint64_t *added = tree->above + (size_t)high * tree->words;
    assert(!is_above(tree, high, low));
    for (uint32_t b = 0; b < tree->buffers; b++) {
        uint64_t *above = tree->above + (size_t)b * tree->words;
        if (b != low && !is_above(tree, b, low))
            continue;
        assert(b != high);
        for (uint32_t w = 0; w < tree->words; w++)
            above[w] |= added[w];
        above[high / 64] |= UINT64_C(1) << high % 64;
    }
}

/* Goes over all pairs until nothing changes. False where a limit cannot be kept. */
static bool propagate(struct tree *tree)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = 0; p < tree->pairs; p++) {
            uint32_t a = tree->pair[p].first, b = tree->pair[p].second;
            assert(!(is_above(tree, a, b) && is_above(tree, b, a)));
            bool a_below = !is_above(tree, b, a) && may_stack(tree, a, b);
            bool b_below = !is_above(tree, a, b) && may_stack(tree, b, a);
            if (!a_below && !b_below)
                return false;
            if (tree->side[p] == OPEN && !(a_below && b_below)) {
                tree->side[p] = a_below ? FIRST_BELOW : SECOND_BELOW;
                decide(tree, a_below ? a : b, a_below ? b : a);
                changed = true;
            }
            if (tree->side[p] == FIRST_BELOW ? !a_below : tree->side[p] == SECOND_BELOW && !b_below)
                return false;
            if (tree->side[p] == FIRST_BELOW)
                changed |= stack_pair(tree, a, b);
            else if (tree->side[p] == SECOND_BELOW)
                changed |= stack_pair(tree, b, a);
        }
    }
    return fits_limits(tree);
}

/* The orientation by the heads of point 0, whose order agrees with every decision. */
static enum status try_heads(struct tree *tree, bool *found, struct error *error)
{
    assert(tree->orientation->buffers == tree->buffers);
    struct orientation *orientation = tree->orientation;
    const struct size_vectors *vectors = tree->search->vectors;
    *found = false;
    for (uint32_t b = 0; b < tree->buffers; b++) {
        tree->key[b] = tree->head[b];
        orientation->sorted[b] = b;
    }
    TRY(sort_items(tree->key, orientation->sorted, tree->buffers, error));
    orienter_orient(tree->search->orienter, orientation->sorted, orientation);
    for (uint32_t i = 0; i < tree->points; i++)
        if (family_peak(vectors->family, orientation, get_sizes(tree, i)) > tree->search->limit[i])
            return STATUS_OK;
    *found = true;
    return STATUS_OK;
}

/* The open pair with the least room: of both ways, the least that is left below a limit, in parts
   of the limit. */
static uint32_t choose_pair(const struct tree *tree)
{
    uint32_t best = tree->pairs;
    double least = 2;
    for (uint32_t p = 0; p < tree->pairs; p++) {
        const uint32_t side[2] = {tree->pair[p].first, tree->pair[p].second};
        double room[2] = {1, 1};
        for (uint32_t i = 0; i < tree->points && tree->side[p] == OPEN; i++) {
            const uint64_t *size = get_sizes(tree, i);
            for (uint32_t s = 0; s < 2; s++) {
                size_t low = (size_t)i * tree->buffers + side[s];
                size_t high = (size_t)i * tree->buffers + side[1 - s];
                uint64_t used =
                    tree->head[low] + size[side[s]] + size[side[1 - s]] + tree->tail[high];
                assert(used <= tree->search->limit[i]);
                double limit = (double)tree->search->limit[i], left = 1 - (double)used / limit;
                room[s] = left < room[s] ? left : room[s];
            }
        }
        if (tree->side[p] == OPEN && room[0] + room[1] < least) {
            least = room[0] + room[1];
            best = p;
        }
    }
    return best;
}

/* What a node leaves to its two children. */
struct kept {
    uint8_t *side;
    uint64_t *head, *tail, *above;
    struct scratch scratch;
};

static void free_kept(struct kept *kept)
{
    scratch_free(&kept->scratch);
}

static enum status keep(const struct tree *tree, struct kept *kept, struct error *error)
{
    assert(tree->points > 0 && tree->words > 0);
    size_t numbers = (size_t)tree->points * tree->buffers;
    TRY(scratch_take(&kept->scratch, &kept->side, tree->pairs, 1, error));
    TRY(scratch_take(&kept->scratch, &kept->head, numbers, sizeof(uint64_t), error));
    TRY(scratch_take(&kept->scratch, &kept->tail, numbers, sizeof(uint64_t), error));
    TRY(scratch_take(&kept->scratch, &kept->above, (size_t)tree->buffers * tree->words,
                     sizeof(uint64_t), error));
    memcpy(kept->side, tree->side, tree->pairs);
    memcpy(kept->head, tree->head, numbers * sizeof(uint64_t));
    memcpy(kept->tail, tree->tail, numbers * sizeof(uint64_t));
    memcpy(kept->above, tree->above, (size_t)tree->buffers * tree->words * sizeof(uint64_t));
    return STATUS_OK;
}

static void take_back(struct tree *tree, const struct kept *kept)
{
    assert(kept->side && kept->above);
    size_t numbers = (size_t)tree->points * tree->buffers;
    memcpy(tree->side, kept->side, tree->pairs);
    memcpy(tree->head, kept->head, numbers * sizeof(uint64_t));
    memcpy(tree->tail, kept->tail, numbers * sizeof(uint64_t));
    memcpy(tree->above, kept->above, (size_t)tree->buffers * tree->words * sizeof(uint64_t));
}

static enum status search_node(struct tree *tree, bool *found, struct error *error)
{
    SCOPED(free_kept) struct kept kept = {.side = NULL};
    *found = false;
    tree->nodes++;
    tree->is_cut = tree->is_cut || tree->nodes > tree->search->most_nodes ||
                   clock_left_ns(tree->search->deadline_ns) == 0;
    if (tree->is_cut || !propagate(tree))
        return STATUS_OK;
    TRY(try_heads(tree, found, error));
    uint32_t chosen = choose_pair(tree);
    /* With no pair open, the heads are the offsets, and they keep the limits. */
    assert(*found || chosen < tree->pairs);
    if (*found)
        return STATUS_OK;
    TRY(keep(tree, &kept, error));
    for (enum side side = FIRST_BELOW; side <= SECOND_BELOW && !*found && !tree->is_cut; side++) {
        uint32_t a = tree->pair[chosen].first, b = tree->pair[chosen].second;
        assert(tree->side[chosen] == OPEN);
        tree->side[chosen] = (uint8_t)side;
        decide(tree, side == FIRST_BELOW ? a : b, side == FIRST_BELOW ? b : a);
        TRY(search_node(tree, found, error));
        if (!*found)
            take_back(tree, &kept);
    }
    return STATUS_OK;
}

static enum status list_pairs(struct tree *tree, const struct conflicts *conflicts,
                              struct error *error)
{
    uint32_t count = 0;
    TRY(scratch_take(&tree->scratch, &tree->pair, tree->pairs, sizeof *tree->pair, error));
    for (uint32_t b = 0; b < tree->buffers; b++)
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++)
            if (conflicts->other[i] > b)
                tree->pair[count++] = (struct pair){b, conflicts->other[i]};
    assert(count == tree->pairs);
    return STATUS_OK;
}

enum status orient_exact(const struct orient_search *search, struct orientation *orientation,
                         enum orient_answer *answer, uint64_t *nodes, struct error *error)
{
    const struct problem *problem = search->orienter->problem;
    SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
    SCOPED(free_tree)
    struct tree tree = {.search = search,
                        .problem = problem,
                        .buffers = problem->buffers,
                        .points = search->vectors->count,
                        .words = problem->buffers / 64 + 1,
                        .orientation = orientation};
    size_t numbers = (size_t)tree.points * tree.buffers;
    uint64_t pairs;
    bool found;
    *answer = ORIENT_UNKNOWN;
    *nodes = 0;
    TRY(conflicts_count_pairs(problem, &pairs, error));
    if (pairs > ORIENT_MOST_PAIRS)
        return STATUS_OK;
    TRY(conflicts_create(problem, &conflicts, error));
    tree.pairs = (uint32_t)(conflicts->first[problem->buffers] / 2);
    TRY(list_pairs(&tree, conflicts, error));
    TRY(scratch_take(&tree.scratch, &tree.side, tree.pairs, 1, error));
    TRY(scratch_take(&tree.scratch, &tree.head, numbers, sizeof(uint64_t), error));
    TRY(scratch_take(&tree.scratch, &tree.tail, numbers, sizeof(uint64_t), error));
    TRY(scratch_take(&tree.scratch, &tree.above, (size_t)tree.buffers * tree.words,
                     sizeof(uint64_t), error));
    TRY(scratch_take(&tree.scratch, &tree.key, tree.buffers, sizeof(uint64_t), error));
    TRY(search_node(&tree, &found, error));
    *answer = found ? ORIENT_FOUND : tree.is_cut ? ORIENT_UNKNOWN : ORIENT_REFUSED;
    *nodes = tree.nodes;
    return STATUS_OK;
}
