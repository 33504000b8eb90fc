#include "support/random_problem.h"

#include <stdio.h>
#include <stdlib.h>

#include "planning/arena/fit.h"
#include "planning/problem/bounds.h"
#include "planning/problem/explicit_conflicts.h"

static struct error error;

static void expect(enum status status)
{
    if (status)
        abort();
}

static uint64_t draw(struct random_state *random, uint64_t least, uint64_t most)
{
    return least + random_below(random, most - least + 1);
}

static void add_segment(const struct random_problem *kind, struct random_state *random,
                        struct problem *problem, uint32_t lower, uint32_t upper, uint64_t size)
{
    uint64_t window_lower = 0, window_upper = size;
    if (kind->windows && draw(random, 0, 2) == 0) {
        window_lower = draw(random, 0, size - 1);
        window_upper = draw(random, window_lower + 1, size);
    }
    expect(problem_add_segment(
        problem, (struct problem_segment){lower, upper, window_lower, window_upper}, &error));
}

/* One segment or two; of many holes runs of one to three steps, with as long holes or none between
   them. */
static void add_segments(const struct random_problem *kind, struct random_state *random,
                         struct problem *problem, uint32_t lower, uint32_t upper, uint64_t size)
{
    uint32_t middle = lower + (upper - lower) / 3, resume = lower + (upper - lower) * 2 / 3;
    while (kind->many_holes && lower < upper) {
        uint32_t end = lower + (uint32_t)draw(random, 1, 3);
        add_segment(kind, random, problem, lower, end < upper ? end : upper, size);
        lower = end + (uint32_t)draw(random, 0, 3);
    }
    if (kind->many_holes)
        return;
    if (kind->holes && middle > lower && resume > middle && draw(random, 0, 1)) {
        add_segment(kind, random, problem, lower, middle, size);
        add_segment(kind, random, problem, resume, upper, size);
    } else {
        add_segment(kind, random, problem, lower, upper, size);
    }
}

struct drawn {
    uint32_t lower, upper;
    uint64_t size;
};

static void add_buffer(const struct random_problem *kind, struct random_state *random,
                       struct problem *problem, const struct drawn *drawn)
{
    char name[16];
    struct problem_buffer buffer = {.name = name,
                                    .size = drawn->size,
                                    .alignment = 1,
                                    .fixed_offset = PROBLEM_FREE,
                                    .hint = -1};
    snprintf(name, sizeof name, "b%u", problem->buffers);
    if (kind->alignment && draw(random, 0, 2) == 0)
        buffer.alignment = draw(random, 1, 4);
    if (kind->fixed && draw(random, 0, 3) == 0)
        buffer.fixed_offset = buffer.alignment * draw(random, 0, kind->most_size);
    expect(problem_add_buffer(problem, &buffer, &error));
    add_segments(kind, random, problem, drawn->lower, drawn->upper, buffer.size);
}

/* As many pairs as buffers, at most. */
static void add_conflicts(struct random_state *random, struct problem **problem)
{
    enum { MOST_PAIRS = 64 };
    struct problem_pair pair[MOST_PAIRS];
    uint32_t buffers = (*problem)->buffers;
    size_t pairs = buffers < 2 ? 0 : draw(random, 0, buffers < MOST_PAIRS ? buffers : MOST_PAIRS);
    for (size_t p = 0; p < pairs; p++) {
        pair[p].first = (uint32_t)draw(random, 0, buffers - 2);
        pair[p].second = (uint32_t)draw(random, pair[p].first + 1, buffers - 1);
    }
    expect(problem_conflicts_add(problem, pair, pairs, &error));
}

enum { MOST_FILLED = 16 };

static uint64_t sum_live(const struct drawn *drawn, uint32_t buffers, uint32_t step)
{
    uint64_t live = 0;
    for (uint32_t b = 0; b < buffers; b++)
        live += drawn[b].lower <= step && step < drawn[b].upper ? drawn[b].size : 0;
    return live;
}

/* 0 where that takes more buffers than there may be. */
static uint32_t draw_filled(const struct random_problem *kind, struct random_state *random,
                            struct drawn *drawn)
{
    uint64_t load = kind->most_size * 3 / 2;
    uint32_t buffers = 0;
    for (uint32_t step = 0; step < kind->steps; step++)
        for (uint64_t live = sum_live(drawn, buffers, step); live < load; buffers++) {
            uint64_t most = load - live < kind->most_size ? load - live : kind->most_size;
            if (buffers == kind->most_buffers)
                return 0;
            drawn[buffers].size = draw(random, 1, most);
            drawn[buffers].lower = step;
            drawn[buffers].upper = (uint32_t)draw(random, step + 1, kind->steps);
            live += drawn[buffers].size;
        }
    return buffers;
}

static void add_filled(const struct random_problem *kind, struct random_state *random,
                       struct problem *problem)
{
    struct drawn drawn[MOST_FILLED];
    uint32_t buffers = 0;
    if (kind->most_buffers > MOST_FILLED)
        abort();
    while (!buffers)
        buffers = draw_filled(kind, random, drawn);
    for (uint32_t b = 0; b < buffers; b++)
        add_buffer(kind, random, problem, &drawn[b]);
}

struct problem *random_problem_create(const struct random_problem *kind,
                                      struct random_state *random)
{
    struct problem *problem;
    expect(problem_create(&problem, "random", &error));
    if (kind->filled)
        add_filled(kind, random, problem);
    uint32_t buffers = kind->filled ? 0 : (uint32_t)draw(random, 1, kind->most_buffers);
    for (uint32_t b = 0; b < buffers; b++) {
        struct drawn drawn;
        drawn.size = draw(random, 1, kind->most_size);
        drawn.lower = (uint32_t)draw(random, 0, kind->steps - 1);
        drawn.upper = (uint32_t)draw(random, drawn.lower + 1, kind->steps);
        add_buffer(kind, random, problem, &drawn);
    }
    if (kind->conflicts)
        add_conflicts(random, &problem);
    expect(problem_finish(problem, &error));
    return problem;
}

static void copy_buffer(const struct problem *source, uint32_t buffer, struct problem *problem)
{
    const struct problem_buffer copy = {.name = names_get(&source->names, buffer),
                                        .size = source->size[buffer],
                                        .alignment = problem_alignment(source, buffer),
                                        .fixed_offset = problem_fixed_offset(source, buffer),
                                        .hint = problem_hint(source, buffer)};
    expect(problem_add_buffer(problem, &copy, &error));
}

static void add_whole(struct problem *problem, uint32_t lower, uint32_t upper)
{
    uint64_t size = problem->size[problem->buffers - 1];
    expect(problem_add_segment(problem, (struct problem_segment){lower, upper, 0, size}, &error));
}

struct problem *random_problem_widen(const struct problem *problem)
{
    struct problem *wide;
    expect(problem_create(&wide, "wide", &error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        copy_buffer(problem, b, wide);
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            add_whole(wide, problem->lower[s], problem->upper[s]);
    }
    expect(problem_finish(wide, &error));
    return wide;
}

struct problem *random_problem_fill(const struct problem *problem)
{
    struct problem *filled;
    expect(problem_create(&filled, "filled", &error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        copy_buffer(problem, b, filled);
        add_whole(filled, problem_lower(problem, b), problem_upper(problem, b));
    }
    expect(problem_finish(filled, &error));
    return filled;
}

static bool pair_collides(const struct problem *problem, const uint64_t *offset, uint32_t a,
                          uint32_t b)
{
    for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
        for (uint32_t t = problem->first[b]; t < problem->first[b + 1]; t++)
            if (problem->lower[s] < problem->upper[t] && problem->lower[t] < problem->upper[s] &&
                offset[a] + problem_window_lower(problem, s) <
                    offset[b] + problem_window_upper(problem, t) &&
                offset[b] + problem_window_lower(problem, t) <
                    offset[a] + problem_window_upper(problem, s))
                return true;
    return false;
}

static bool try_offset(const struct problem *problem, uint64_t capacity, uint64_t *offset,
                       uint32_t buffer);

static bool try_buffer(const struct problem *problem, uint64_t capacity, uint64_t *offset,
                       uint32_t buffer)
{
    if (buffer == problem->buffers)
        return true;
    if (problem->size[buffer] > capacity)
        return false;
    uint64_t fixed = problem_fixed_offset(problem, buffer);
    if (fixed != PROBLEM_FREE) {
        offset[buffer] = fixed;
        return fixed + problem->size[buffer] <= capacity &&
               try_offset(problem, capacity, offset, buffer);
    }
    for (offset[buffer] = 0; offset[buffer] + problem->size[buffer] <= capacity;
         offset[buffer] += problem_alignment(problem, buffer))
        if (try_offset(problem, capacity, offset, buffer))
            return true;
    return false;
}

static bool try_offset(const struct problem *problem, uint64_t capacity, uint64_t *offset,
                       uint32_t buffer)
{
    for (uint32_t other = 0; other < buffer; other++)
        if (pair_collides(problem, offset, buffer, other))
            return false;
    return try_buffer(problem, capacity, offset, buffer + 1);
}

uint64_t brute_force_peak(const struct problem *problem, uint64_t most_bytes)
{
    uint64_t offset[16], load_bytes;
    expect(problem_load(problem, &load_bytes, NULL, &error));
    for (uint64_t capacity = load_bytes; capacity <= most_bytes; capacity++)
        if (try_buffer(problem, capacity, offset, 0))
            return capacity;
    return UINT64_MAX;
}

struct orders {
    const struct problem *problem;
    struct conflicts *conflicts;
    struct plan *plan;
    uint64_t least;
};

static void place_the_rest(struct orders *orders, uint32_t placed, uint64_t peak)
{
    struct interval taken[8];
    const struct fit_neighbours neighbours = {orders->problem, orders->conflicts, taken};
    uint64_t *offset = orders->plan->offset;
    if (peak >= orders->least)
        return;
    if (placed == orders->problem->buffers)
        orders->least = peak;
    for (uint32_t b = 0; b < orders->problem->buffers; b++) {
        if (offset[b] != PROBLEM_FREE)
            continue;
        expect(fit_place(fit_find("first"), &neighbours, b, orders->plan, &error));
        uint64_t end = offset[b] + orders->problem->size[b];
        place_the_rest(orders, placed + 1, end > peak ? end : peak);
        offset[b] = PROBLEM_FREE;
    }
}

uint64_t every_order_peak(const struct problem *problem)
{
    struct orders orders = {.problem = problem, .least = UINT64_MAX};
    if (problem->buffers > 8 || conflicts_create(problem, &orders.conflicts, &error) ||
        plan_create(problem, &orders.plan, &error))
        abort();
    place_the_rest(&orders, 0, 0);
    plan_free(orders.plan);
    conflicts_free(orders.conflicts);
    return orders.least;
}
