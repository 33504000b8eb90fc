#include <stdlib.h>

#include "core/memory.h"
#include "datasets/generate/distributions.h"
#include "datasets/generate/generate.h"

/* A rectangle of capacity x steps is cut into buffers without waste: at each step the live buffers
   add up to the capacity, and where they were cut is a plan that reaches it. Cuts alone would leave
   a trace that is easy to follow, so pieces are also joined in time:

       +----+----+       +----+----+
       | a  |    |       |    | b' |     the bytes that a piece and one right after it have in
       |    | b  |  ==>  +---------+     common become one buffer that lives through both
       |    +----+       |  join   |
       |    | ...|       +----+----+
       +----+            | a' |
                         +----+                                                                 */

enum { BUFFERS, CAPACITY, STEPS, UNIT };

static const struct generate_option options[] = {
    [BUFFERS] = {"buffers", 100, 1, 20000, NULL, "number of buffers"},
    [CAPACITY] = {"capacity", 1 << 20, 1, UINT64_C(1) << 40, NULL, "bytes, the optimum"},
    [STEPS] = {"steps", 100, 1, 1000000, NULL, "number of steps"},
    [UNIT] = {"unit", 1024, 1, 1 << 30, NULL, "sizes are multiples of this"},
};

/* The share of the cuts that are pinwheels, where one fits; and of the others the share that go
   across the bytes, which keeps lifetimes long. */
enum {
    PINWHEEL_PERCENT = 30,
    CUT_BYTES_PERCENT = 60,
    CUT_FIRST_PERCENT = 60,
    JOINS_PER_BUFFER = 6
};

struct piece {
    uint32_t lower, upper; /* steps */
    uint64_t bottom, top;  /* units */
    uint64_t key;          /* order among the pieces that begin at the same step */
};

struct cutter {
    struct random_state random;
    struct piece *piece; /* [most] */
    uint64_t pieces, most;
};

static uint64_t draw_inside(struct cutter *cutter, uint64_t lower, uint64_t upper)
{
    return lower + 1 + random_below(&cutter->random, upper - lower - 1);
}

static void add_piece(struct cutter *cutter, uint32_t lower, uint32_t upper, uint64_t bottom,
                      uint64_t top)
{
    cutter->piece[cutter->pieces++] = (struct piece){lower, upper, bottom, top, 0};
}

/* Four arms around a middle: no straight cut goes through.

       D D C C C
       D D M B B     time ->
       A A A B B                                                                                */
static void cut_pinwheel(struct cutter *cutter, uint64_t index)
{
    struct piece whole = cutter->piece[index];
    uint32_t left = (uint32_t)draw_inside(cutter, whole.lower, whole.upper - 1);
    uint32_t right = (uint32_t)draw_inside(cutter, left, whole.upper);
    uint64_t low = draw_inside(cutter, whole.bottom, whole.top - 1);
    uint64_t high = draw_inside(cutter, low, whole.top);
    cutter->piece[index] = (struct piece){left, right, low, high, 0};
    add_piece(cutter, whole.lower, right, whole.bottom, low);
    add_piece(cutter, right, whole.upper, whole.bottom, high);
    add_piece(cutter, left, whole.upper, high, whole.top);
    add_piece(cutter, whole.lower, left, low, whole.top);
}

static void cut_steps(struct cutter *cutter, uint64_t index)
{
    struct piece *piece = &cutter->piece[index];
    uint32_t at = (uint32_t)draw_inside(cutter, piece->lower, piece->upper);
    add_piece(cutter, at, piece->upper, piece->bottom, piece->top);
    piece->upper = at;
}

static void cut_bytes(struct cutter *cutter, uint64_t index)
{
    struct piece *piece = &cutter->piece[index];
    uint64_t at = draw_inside(cutter, piece->bottom, piece->top);
    add_piece(cutter, piece->lower, piece->upper, at, piece->top);
    piece->top = at;
}

static bool can_cut(const struct piece *piece)
{
    return piece->upper - piece->lower > 1 || piece->top - piece->bottom > 1;
}

static void cut_piece(struct cutter *cutter, uint64_t index, uint64_t most)
{
    const struct piece *piece = &cutter->piece[index];
    uint64_t steps = piece->upper - piece->lower, units = piece->top - piece->bottom;
    bool pinwheel = generate_happens(PINWHEEL_PERCENT, &cutter->random);
    bool bytes = generate_happens(CUT_BYTES_PERCENT, &cutter->random);
    if (pinwheel && steps >= 3 && units >= 3 && cutter->pieces + 4 <= most)
        cut_pinwheel(cutter, index);
    else if (units > 1 && (bytes || steps == 1))
        cut_bytes(cutter, index);
    else
        cut_steps(cutter, index);
}

static uint64_t get_area(const struct piece *piece)
{
    return (piece->upper - piece->lower) * (piece->top - piece->bottom);
}

/* Picks the largest of a few random pieces, so that sizes differ but none stays huge. If it is a
   single cell, takes the next piece that is not. */
static uint64_t pick_piece(struct cutter *cutter)
{
    uint64_t best = random_below(&cutter->random, cutter->pieces);
    for (int i = 0; i < 3; i++) {
        uint64_t other = random_below(&cutter->random, cutter->pieces);
        if (get_area(&cutter->piece[other]) > get_area(&cutter->piece[best]))
            best = other;
    }
    while (!can_cut(&cutter->piece[best]))
        best = (best + 1) % cutter->pieces;
    return best;
}

static void cut_until(struct cutter *cutter, uint64_t most)
{
    while (cutter->pieces < most)
        cut_piece(cutter, pick_piece(cutter), most);
}

static bool can_join(const struct piece *first, const struct piece *second)
{
    return first->upper == second->lower && first->bottom < second->top &&
           second->bottom < first->top;
}

/* Finds a piece that begins where the first one ends and has bytes in common with it; the number of
   pieces where there is none. */
static uint64_t find_next(struct cutter *cutter, const struct piece *first)
{
    uint64_t start = random_below(&cutter->random, cutter->pieces);
    for (uint64_t i = 0; i < cutter->pieces; i++) {
        uint64_t index = (start + i) % cutter->pieces;
        if (can_join(first, &cutter->piece[index]))
            return index;
    }
    return cutter->pieces;
}

static void keep_rest(struct cutter *cutter, const struct piece *piece, uint64_t bottom,
                      uint64_t top)
{
    if (piece->bottom < bottom)
        add_piece(cutter, piece->lower, piece->upper, piece->bottom, bottom);
    if (top < piece->top)
        add_piece(cutter, piece->lower, piece->upper, top, piece->top);
}

static void join_pieces(struct cutter *cutter, uint64_t first, uint64_t second)
{
    struct piece a = cutter->piece[first], b = cutter->piece[second];
    uint64_t bottom = a.bottom > b.bottom ? a.bottom : b.bottom;
    uint64_t top = a.top < b.top ? a.top : b.top;
    int rests = (a.bottom < bottom) + (top < a.top) + (b.bottom < bottom) + (top < b.top);
    if (cutter->pieces + (uint64_t)rests > cutter->most)
        return;
    cutter->piece[first] = (struct piece){a.lower, b.upper, bottom, top, 0};
    cutter->piece[second] = cutter->piece[--cutter->pieces];
    keep_rest(cutter, &a, bottom, top);
    keep_rest(cutter, &b, bottom, top);
}

static void join_some(struct cutter *cutter)
{
    for (uint64_t i = 0; i < JOINS_PER_BUFFER * cutter->most; i++) {
        uint64_t first = random_below(&cutter->random, cutter->pieces);
        uint64_t second = find_next(cutter, &cutter->piece[first]);
        if (second < cutter->pieces)
            join_pieces(cutter, first, second);
    }
}

static int compare_pieces(const void *left, const void *right)
{
    const struct piece *a = left, *b = right;
    if (a->lower != b->lower)
        return a->lower < b->lower ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->bottom > b->bottom) - (a->bottom < b->bottom);
}

static enum status hand_out(struct cutter *cutter, uint64_t unit, const struct generate_sink *sink,
                            struct error *error)
{
    for (uint64_t i = 0; i < cutter->pieces; i++)
        cutter->piece[i].key = random_next(&cutter->random);
    qsort(cutter->piece, cutter->pieces, sizeof *cutter->piece, compare_pieces);
    for (uint64_t i = 0; i < cutter->pieces; i++) {
        const struct piece *piece = &cutter->piece[i];
        const struct generate_buffer buffer = {.size = (piece->top - piece->bottom) * unit,
                                               .offset = piece->bottom * unit,
                                               .lower = piece->lower,
                                               .upper = piece->upper};
        TRY(sink->add(sink->context, &buffer, error));
    }
    return STATUS_OK;
}

static enum status check_values(const uint64_t *value, struct error *error)
{
    uint64_t units = value[CAPACITY] / value[UNIT];
    if (value[CAPACITY] % value[UNIT])
        return error_set(error, STATUS_USAGE, "capacity is %llu, expected a multiple of unit=%llu",
                         (unsigned long long)value[CAPACITY], (unsigned long long)value[UNIT]);
    if (value[BUFFERS] * 4 > units * value[STEPS] && value[BUFFERS] > 1)
        return error_set(error, STATUS_USAGE,
                         "buffers is %llu, expected at most a quarter of the %llu units x %llu "
                         "steps to be cut",
                         (unsigned long long)value[BUFFERS], (unsigned long long)units,
                         (unsigned long long)value[STEPS]);
    return STATUS_OK;
}

static enum status generate_cuts(const struct generate_settings *settings,
                                 const struct generate_sink *sink, struct error *error)
{
    const uint64_t *value = settings->value;
    struct cutter cutter = {.random = random_seed(settings->seed), .most = value[BUFFERS]};
    TRY(check_values(value, error));
    TRY(memory_create(&cutter.piece, value[BUFFERS], sizeof *cutter.piece, error));
    add_piece(&cutter, 0, (uint32_t)value[STEPS], 0, value[CAPACITY] / value[UNIT]);
    cut_until(&cutter, (value[BUFFERS] * CUT_FIRST_PERCENT + 99) / 100);
    join_some(&cutter);
    cut_until(&cutter, value[BUFFERS]);
    enum status status = hand_out(&cutter, value[UNIT], sink, error);
    memory_free(cutter.piece);
    return status;
}

const struct generate_kind generate_tight = {
    .name = "tight",
    .title = "zero-waste cuts of a rectangle; the capacity is the load at every step and optimal",
    .option = options,
    .options = sizeof options / sizeof *options,
    .problem = generate_cuts,
};
