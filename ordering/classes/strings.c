#include "ordering/classes/strings.h"

#include "core/memory.h"
#include "planning/order/order_load.h"

/* Nobody else reads what an operator reads, nothing is there for the first operator only, and sums
   of signed bytes fit. */
static bool are_constant(const struct order_view *view)
{
    double sum = 0;
    for (uint32_t t = 0; t < view->tensors; t++) {
        if (view->bytes[t] && order_lists_count(&view->readers, t) > 1)
            return false;
        sum += (double)view->bytes[t];
    }
    for (uint32_t v = 0; v < view->operators; v++)
        sum += (double)view->alloc_bytes[v];
    return view->first_bytes == 0 && sum < 0x1p62;
}

static void fill_pieces(struct strings *strings, const struct order_run *run)
{
    for (uint32_t v = 0; v < strings->view->operators; v++) {
        uint64_t net = order_run_left(run, v) - order_run_freed(run, v);
        uint64_t peak = strings->view->alloc_bytes[v] - order_run_saved(run, v);
        strings->piece[v] = (struct strings_piece){(int64_t)peak, (int64_t)net, v, v, ORDER_NONE};
        strings->next_op[v] = ORDER_NONE;
        strings->first[v] = v;
    }
}

enum status strings_create(const struct order_view *view, struct strings *strings,
                           bool *is_constant, struct error *error)
{
    uint32_t count = view->operators;
    struct order_run run = {0};
    enum status status;
    *strings = (struct strings){.view = view};
    *is_constant = are_constant(view);
    TRY_OR_DONE(status, memory_create(&strings->piece, count, sizeof *strings->piece, error));
    TRY_OR_DONE(status, memory_create(&strings->next_op, count, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&strings->first, count, sizeof(uint32_t), error));
    TRY_OR_DONE(status, order_run_create(view, &run, error));
    fill_pieces(strings, &run);
done:
    order_run_free(&run);
    if (status)
        strings_free(strings);
    return status;
}

void strings_free(struct strings *strings)
{
    memory_free(strings->piece);
    memory_free(strings->next_op);
    memory_free(strings->first);
    *strings = (struct strings){.view = NULL};
}

/* Negative where a comes before b. */
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
    strings->next_op[first->last] = second->first;
    first->last = second->last;
}

/* Pieces that stand in the wrong order become one. The string so far is turned round: `top` is its
   last piece, and next leads to the one before. */
static uint32_t append_piece(struct strings *strings, uint32_t top, uint32_t piece)
{
    while (top != ORDER_NONE && compare_pieces(&strings->piece[top], &strings->piece[piece]) > 0) {
        uint32_t below = strings->piece[top].next;
        absorb(strings, top, piece);
        piece = top;
        top = below;
    }
    strings->piece[piece].next = top;
    return piece;
}

/* Turns a chain of pieces round; its new first one. */
static uint32_t turn_round(struct strings *strings, uint32_t piece)
{
    uint32_t turned = ORDER_NONE;
    while (piece != ORDER_NONE) {
        uint32_t next = strings->piece[piece].next;
        strings->piece[piece].next = turned;
        turned = piece;
        piece = next;
    }
    return turned;
}

void strings_join_in_series(struct strings *strings, uint32_t a, uint32_t b)
{
    uint32_t top = turn_round(strings, strings->first[a]);
    for (uint32_t piece = strings->first[b]; piece != ORDER_NONE;) {
        uint32_t next = strings->piece[piece].next;
        top = append_piece(strings, top, piece);
        piece = next;
    }
    strings->first[a] = turn_round(strings, top);
}

void strings_join_in_parallel(struct strings *strings, uint32_t a, uint32_t b)
{
    uint32_t left = strings->first[a], right = strings->first[b], merged = ORDER_NONE;
    while (left != ORDER_NONE || right != ORDER_NONE) {
        bool takes_left = right == ORDER_NONE ||
                          (left != ORDER_NONE &&
                           compare_pieces(&strings->piece[left], &strings->piece[right]) <= 0);
        uint32_t *from = takes_left ? &left : &right, taken = *from;
        *from = strings->piece[taken].next;
        strings->piece[taken].next = merged;
        merged = taken;
    }
    strings->first[a] = turn_round(strings, merged);
}

uint32_t strings_list(const struct strings *strings, uint32_t a, uint32_t *permutation)
{
    uint32_t count = 0;
    for (uint32_t p = strings->first[a]; p != ORDER_NONE; p = strings->piece[p].next)
        for (uint32_t v = strings->piece[p].first; v != ORDER_NONE; v = strings->next_op[v]) {
            permutation[count++] = v;
            if (v == strings->piece[p].last)
                break;
        }
    return count;
}
