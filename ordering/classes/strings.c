#include "ordering/classes/strings.h"

#include "core/random.h"
#include "planning/order/order_load.h"

enum status strings_create(const struct order_view *view, struct strings *strings,
                           bool *is_constant, struct scratch *scratch, struct error *error)
{
    uint32_t count = view->operators;
    struct order_run run;
    double sum = 0;
    *strings = (struct strings){.view = view};
    TRY(scratch_take_all(scratch, count, error, &strings->piece, &strings->next_op));
    TRY(order_run_take(view, &run, scratch, error));
    /* No tensor may have two readers, and nothing may be live for the first operator only. Sums of
       signed bytes have to fit, too. */
    *is_constant = !view->first_bytes;
    for (uint32_t t = 0; t < view->tensors; t++) {
        *is_constant &= !view->bytes[t] || order_lists_count(&view->readers, t) <= 1;
        sum += (double)view->bytes[t];
    }
    for (uint32_t v = 0; v < count; v++) {
        int64_t net = (int64_t)(order_run_left(&run, v) - order_run_freed(&run, v));
        int64_t peak = (int64_t)(view->alloc_bytes[v] - order_run_saved(&run, v));
        strings->piece[v] = (struct strings_piece){peak, net, v, {ORDER_NONE, ORDER_NONE}, v};
        strings->next_op[v] = ORDER_NONE;
        sum += (double)view->alloc_bytes[v];
    }
    *is_constant &= sum < 0x1p62;
    return STATUS_OK;
}

/* Negative where piece a comes before piece b in the order that strings.h describes. */
static int compare_pieces(const struct strings_piece *a, const struct strings_piece *b)
{
    bool a_leaves = a->net_bytes > 0, b_leaves = b->net_bytes > 0;
    if (a_leaves != b_leaves)
        return a_leaves ? 1 : -1;
    int64_t left = a_leaves ? b->peak_bytes - b->net_bytes : a->peak_bytes;
    int64_t right = a_leaves ? a->peak_bytes - a->net_bytes : b->peak_bytes;
    return (left > right) - (left < right);
}

/* Piece b runs right after a, and is a part of it. */
static void absorb(struct strings *strings, uint32_t a, uint32_t b)
{
    struct strings_piece *first = &strings->piece[a];
    const struct strings_piece *second = &strings->piece[b];
    int64_t later = first->net_bytes + second->peak_bytes;
    first->peak_bytes = later > first->peak_bytes ? later : first->peak_bytes;
    first->net_bytes += second->net_bytes;
    strings->next_op[first->last] = b;
    first->last = second->last;
}

/* Pieces of equal keys may come in any order; here they come in that of their numbers. */
static bool comes_before(const struct strings *strings, uint32_t a, uint32_t b)
{
    int order = compare_pieces(&strings->piece[a], &strings->piece[b]);
    return order ? order < 0 : a < b;
}

/* Makes one tree of two, a heap by random numbers that do not depend on the pieces' keys. All
   pieces of the first come before all of the second. */
static uint32_t concatenate(struct strings *strings, uint32_t a, uint32_t b)
{
    uint32_t root = ORDER_NONE, *at = &root;
    while (a != ORDER_NONE && b != ORDER_NONE) {
        if (random_mix(a) >= random_mix(b)) {
            *at = a;
            at = &strings->piece[a].child[STRINGS_AFTER];
            a = *at;
        } else {
            *at = b;
            at = &strings->piece[b].child[STRINGS_BEFORE];
            b = *at;
        }
    }
    *at = a != ORDER_NONE ? a : b;
    return root;
}

/* Splits a tree into the pieces that come before a given one, which is not in the tree, and those
   that come after it. */
static void split(struct strings *strings, uint32_t tree, uint32_t piece, uint32_t *before,
                  uint32_t *after)
{
    while (tree != ORDER_NONE)
        if (comes_before(strings, tree, piece)) {
            *before = tree;
            before = &strings->piece[tree].child[STRINGS_AFTER];
            tree = *before;
        } else {
            *after = tree;
            after = &strings->piece[tree].child[STRINGS_BEFORE];
            tree = *after;
        }
    *before = *after = ORDER_NONE;
}

/* Makes one tree of two whose pieces may stand between each other. The recursion is as deep as the
   trees: O(log pieces) expected. */
static uint32_t unite(struct strings *strings, uint32_t a, uint32_t b)
{
    uint32_t before, after;
    if (a == ORDER_NONE || b == ORDER_NONE)
        return a == ORDER_NONE ? b : a;
    if (random_mix(a) < random_mix(b)) {
        uint32_t other = a;
        a = b;
        b = other;
    }
    split(strings, b, a, &before, &after);
    strings->piece[a].child[STRINGS_BEFORE] =
        unite(strings, strings->piece[a].child[STRINGS_BEFORE], before);
    strings->piece[a].child[STRINGS_AFTER] =
        unite(strings, strings->piece[a].child[STRINGS_AFTER], after);
    return a;
}

/* The first or the last piece of a tree that has some, and that piece taken out of the tree. */
static uint32_t get_end(const struct strings *strings, uint32_t tree, enum strings_side side)
{
    while (strings->piece[tree].child[side] != ORDER_NONE)
        tree = strings->piece[tree].child[side];
    return tree;
}

static uint32_t take_end(struct strings *strings, uint32_t *tree, enum strings_side side)
{
    while (strings->piece[*tree].child[side] != ORDER_NONE)
        tree = &strings->piece[*tree].child[side];
    uint32_t taken = *tree;
    *tree = strings->piece[taken].child[!side];
    strings->piece[taken].child[!side] = ORDER_NONE;
    return taken;
}

static bool is_in_order(const struct strings *strings, uint32_t a, uint32_t b)
{
    return compare_pieces(&strings->piece[a], &strings->piece[b]) < 0;
}

/* Puts the second string behind the first. Where the pieces at the seam stand in the wrong order,
   they become one, which may then be in the wrong order with the next piece on either side. */
void strings_join_in_series(struct strings *strings, uint32_t a, uint32_t b)
{
    uint32_t earlier = strings->piece[a].root, later = strings->piece[b].root;
    uint32_t middle = take_end(strings, &later, STRINGS_BEFORE);
    for (;;) {
        if (earlier != ORDER_NONE &&
            !is_in_order(strings, get_end(strings, earlier, STRINGS_AFTER), middle)) {
            uint32_t taken = take_end(strings, &earlier, STRINGS_AFTER);
            absorb(strings, taken, middle);
            middle = taken;
        } else if (later != ORDER_NONE &&
                   !is_in_order(strings, middle, get_end(strings, later, STRINGS_BEFORE)))
            absorb(strings, middle, take_end(strings, &later, STRINGS_BEFORE));
        else
            break;
    }
    strings->piece[a].root = concatenate(strings, concatenate(strings, earlier, middle), later);
}

void strings_join_in_parallel(struct strings *strings, uint32_t a, uint32_t b)
{
    strings->piece[a].root = unite(strings, strings->piece[a].root, strings->piece[b].root);
}

uint32_t strings_list(struct strings *strings, uint32_t a, uint32_t *permutation)
{
    uint32_t count = 0, *root = &strings->piece[a].root;
    while (*root != ORDER_NONE) {
        uint32_t piece = take_end(strings, root, STRINGS_BEFORE), v = piece;
        permutation[count++] = v;
        while (v != strings->piece[piece].last)
            permutation[count++] = v = strings->next_op[v];
    }
    return count;
}
