#include <stdlib.h>

#include "core/compare.h"
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

enum { BUFFERS, CAPACITY, STEPS, UNIT, CHOOSE, ACROSS, PINWHEELS, JOINS, SLACK };

/* What makes it likely that a piece is cut next. */
enum choose { LARGEST_OF_FOUR, BY_AREA, BY_TIME, BY_SPACE };

static const struct generate_option options[] = {
    [BUFFERS] = {"buffers", 100, 1, 20000, NULL, "number of buffers"},
    [CAPACITY] = {"capacity", 1 << 20, 1, UINT64_C(1) << 40, NULL, "bytes, the optimum"},
    [STEPS] = {"steps", 100, 1, 1000000, NULL, "number of steps"},
    [UNIT] = {"unit", 1024, 1, 1 << 30, NULL, "sizes are multiples of this"},
    [CHOOSE] = {"choose", LARGEST_OF_FOUR, 0, 0, "largest area time space",
                "the piece that is cut: the largest of four, or by chance in proportion"},
    [ACROSS] = {"across", 60, 0, 100, NULL,
                "percent of the straight cuts across the bytes, which keep lifetimes long"},
    [PINWHEELS] = {"pinwheels", 30, 0, 100, NULL, "percent of the cuts that are pinwheels"},
    [JOINS] = {"joins", 6, 0, 100, NULL, "of two pieces, tried per buffer"},
    [SLACK] = {"slack", 0, 0, 50, NULL,
               "percent of the pieces that are left out; then the optimum is not known"},
};

/* The share of the pieces that are cut before some are joined. */
enum { CUT_FIRST_PERCENT = 60 };

struct piece {
    uint32_t lower, upper; /* steps */
    uint64_t bottom, top;  /* units */
    uint64_t key;          /* order among the pieces that begin at the same step */
};

struct cutter {
    struct random_state random;
    const uint64_t *value; /* of the options */
    struct piece *piece;   /* [most] */
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

/* Cuts a piece across the bytes, across the steps, or as a pinwheel, four arms around a middle,
   through which no straight cut goes:

       D D C C C
       D D M B B     time ->
       A A A B B                                                                                */
static void cut_piece(struct cutter *cutter, uint64_t index, uint64_t most)
{
    struct piece *piece = &cutter->piece[index];
    const struct piece whole = *piece;
    uint64_t steps = whole.upper - whole.lower, units = whole.top - whole.bottom;
    bool pinwheel = generate_happens(cutter->value[PINWHEELS], &cutter->random);
    bool bytes = generate_happens(cutter->value[ACROSS], &cutter->random);
    if (pinwheel && steps >= 3 && units >= 3 && cutter->pieces + 4 <= most) {
        uint32_t left = (uint32_t)draw_inside(cutter, whole.lower, whole.upper - 1);
        uint32_t right = (uint32_t)draw_inside(cutter, left, whole.upper);
        uint64_t low = draw_inside(cutter, whole.bottom, whole.top - 1);
        uint64_t high = draw_inside(cutter, low, whole.top);
        *piece = (struct piece){left, right, low, high, 0};
        add_piece(cutter, whole.lower, right, whole.bottom, low);
        add_piece(cutter, right, whole.upper, whole.bottom, high);
        add_piece(cutter, left, whole.upper, high, whole.top);
        add_piece(cutter, whole.lower, left, low, whole.top);
    } else if (units > 1 && (bytes || steps == 1)) {
        piece->top = draw_inside(cutter, whole.bottom, whole.top);
        add_piece(cutter, whole.lower, whole.upper, piece->top, whole.top);
    } else {
        piece->upper = (uint32_t)draw_inside(cutter, whole.lower, whole.upper);
        add_piece(cutter, piece->upper, whole.upper, whole.bottom, whole.top);
    }
}

static uint64_t get_area(const struct piece *piece)
{
    return (piece->upper - piece->lower) * (piece->top - piece->bottom);
}

/* The largest of a few random pieces, so that sizes differ but none stays huge. */
static uint64_t choose_largest(struct cutter *cutter)
{
    uint64_t best = random_below(&cutter->random, cutter->pieces);
    for (int i = 0; i < 3; i++) {
        uint64_t other = random_below(&cutter->random, cutter->pieces);
        if (get_area(&cutter->piece[other]) > get_area(&cutter->piece[best]))
            best = other;
    }
    return best;
}

static uint64_t get_weight(const struct piece *piece, enum choose choose)
{
    uint64_t time = choose == BY_SPACE ? 1 : piece->upper - piece->lower;
    return choose == BY_TIME ? time : time * (piece->top - piece->bottom);
}

/* A piece by chance, in proportion to its weight. */
static uint64_t choose_in_proportion(struct cutter *cutter, enum choose choose)
{
    uint64_t sum = 0, drawn, index = 0;
    for (uint64_t i = 0; i < cutter->pieces; i++)
        sum += get_weight(&cutter->piece[i], choose);
    drawn = random_below(&cutter->random, sum);
    while (drawn >= get_weight(&cutter->piece[index], choose))
        drawn -= get_weight(&cutter->piece[index++], choose);
    return index;
}

/* Cuts chosen pieces; instead of a single cell the next piece that is none. */
static void cut_until(struct cutter *cutter, uint64_t most)
{
    enum choose choose = (enum choose)cutter->value[CHOOSE];
    while (cutter->pieces < most) {
        uint64_t chosen = choose == LARGEST_OF_FOUR ? choose_largest(cutter)
                                                    : choose_in_proportion(cutter, choose);
        while (get_area(&cutter->piece[chosen]) == 1)
            chosen = (chosen + 1) % cutter->pieces;
        cut_piece(cutter, chosen, most);
    }
}

/* Joins a piece, if there is room for what is left of the two, with one that begins where it ends
   and has bytes in common with it. */
static void join_piece(struct cutter *cutter, uint64_t first)
{
    struct piece *piece = cutter->piece, a = piece[first];
    uint64_t start = random_below(&cutter->random, cutter->pieces), second, tried = 0;
    do {
        if (tried == cutter->pieces)
            return;
        second = (start + tried++) % cutter->pieces;
    } while (a.upper != piece[second].lower || a.bottom >= piece[second].top ||
             piece[second].bottom >= a.top);
    struct piece b = piece[second];
    uint64_t bottom = a.bottom > b.bottom ? a.bottom : b.bottom;
    uint64_t top = a.top < b.top ? a.top : b.top;
    int rests = (a.bottom < bottom) + (top < a.top) + (b.bottom < bottom) + (top < b.top);
    if (cutter->pieces + (uint64_t)rests > cutter->most)
        return;
    piece[first] = (struct piece){a.lower, b.upper, bottom, top, 0};
    piece[second] = piece[--cutter->pieces];
    if (a.bottom < bottom)
        add_piece(cutter, a.lower, a.upper, a.bottom, bottom);
    if (top < a.top)
        add_piece(cutter, a.lower, a.upper, top, a.top);
    if (b.bottom < bottom)
        add_piece(cutter, b.lower, b.upper, b.bottom, bottom);
    if (top < b.top)
        add_piece(cutter, b.lower, b.upper, top, b.top);
}

COMPARE_MEMBERS(compare_pieces, struct piece, lower, key, bottom)

/* Adds the pieces by their first step, at random among equals; those left out are drawn. */
static enum status add_buffers(struct cutter *cutter, const struct generate_sink *sink,
                               struct error *error)
{
    const uint64_t *value = cutter->value;
    struct piece *piece = cutter->piece;
    uint64_t left_out = cutter->pieces - value[BUFFERS];
    for (uint64_t i = 0; i < cutter->pieces; i++)
        piece[i].key = random_next(&cutter->random);
    qsort(piece, cutter->pieces, sizeof *piece, compare_pieces);
    for (uint64_t i = 0; i < cutter->pieces; i++) {
        const struct generate_buffer buffer = {
            .size = (piece[i].top - piece[i].bottom) * value[UNIT],
            .offset = value[SLACK] ? PROBLEM_FREE : piece[i].bottom * value[UNIT],
            .lower = piece[i].lower,
            .upper = piece[i].upper};
        if (left_out && random_below(&cutter->random, cutter->pieces - i) < left_out)
            left_out--;
        else
            TRY(sink->add(sink->context, &buffer, error));
    }
    return STATUS_OK;
}

static enum status generate_cuts(const struct generate_settings *settings,
                                 const struct generate_sink *sink, struct error *error)
{
    const uint64_t *value = settings->value;
    uint64_t units = value[CAPACITY] / value[UNIT];
    uint64_t most = value[BUFFERS] * 100 / (100 - value[SLACK]);
    struct cutter cutter = {.random = random_seed(settings->seed), .value = value, .most = most};
    if (value[CAPACITY] % value[UNIT])
        return error_set(error, STATUS_USAGE, "capacity is %llu, expected a multiple of unit=%llu",
                         (unsigned long long)value[CAPACITY], (unsigned long long)value[UNIT]);
    if (most * 4 > units * value[STEPS] && most > 1)
        return error_set(error, STATUS_USAGE,
                         "%llu pieces are to be cut, expected at most a quarter of the %llu units "
                         "x %llu steps",
                         (unsigned long long)most, (unsigned long long)units,
                         (unsigned long long)value[STEPS]);
    SCOPED(memory_release) struct piece *pieces = NULL;
    TRY(memory_create(&pieces, most, sizeof *pieces, error));
    cutter.piece = pieces;
    add_piece(&cutter, 0, (uint32_t)value[STEPS], 0, units);
    cut_until(&cutter, (most * CUT_FIRST_PERCENT + 99) / 100);
    for (uint64_t i = 0; i < value[JOINS] * most; i++)
        join_piece(&cutter, random_below(&cutter.random, cutter.pieces));
    cut_until(&cutter, most);
    return add_buffers(&cutter, sink, error);
}

const struct generate_kind generate_tight = {
    .name = "tight",
    .title = "cuts of a rectangle; without slack the capacity is the load at every step",
    GENERATE_OPTIONS(options),
    .problem = generate_cuts,
};
