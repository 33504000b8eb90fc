#include "heuristics/pools/reference.h"

#include <stdio.h>

#include "support/testing.h"

bool reference_overlap(const struct problem *problem, uint32_t a, uint32_t b)
{
    return problem_lower(problem, a) < problem_upper(problem, b) &&
           problem_lower(problem, b) < problem_upper(problem, a);
}

static bool is_fixed(const struct problem *problem, uint32_t buffer)
{
    return problem_fixed_offset(problem, buffer) != PROBLEM_FREE;
}

static struct reference start_reference(const struct problem *problem)
{
    struct reference reference = {.problem = problem};
    CU_ASSERT_FATAL(problem->buffers <= REFERENCE_MOST);
    for (uint32_t b = 0; b < problem->buffers; b++)
        reference.object[b] = REFERENCE_NONE;
    return reference;
}

static void put(struct reference *reference, uint32_t object, uint32_t buffer, uint64_t bytes)
{
    if (object == REFERENCE_NONE)
        object = reference->objects++;
    reference->object[buffer] = object;
    reference->released[object] = 0;
    if (reference->bytes[object] < bytes)
        reference->bytes[object] = bytes;
}

uint32_t reference_newest_equal(const struct reference *reference, uint64_t bytes,
                                uint64_t parameter)
{
    uint32_t best = REFERENCE_NONE;
    (void)parameter;
    for (uint32_t o = 0; o < reference->objects; o++)
        if (reference->released[o] && reference->bytes[o] == bytes &&
            (best == REFERENCE_NONE || reference->released[o] > reference->released[best]))
            best = o;
    return best;
}

uint32_t reference_closest(const struct reference *reference, uint64_t bytes, uint64_t parameter)
{
    uint32_t large = REFERENCE_NONE, small = REFERENCE_NONE;
    (void)parameter;
    for (uint32_t o = 0; o < reference->objects; o++) {
        uint64_t have = reference->bytes[o];
        if (!reference->released[o])
            continue;
        if (have >= bytes && (large == REFERENCE_NONE || have < reference->bytes[large]))
            large = o;
        if (have < bytes && (small == REFERENCE_NONE || have >= reference->bytes[small]))
            small = o;
    }
    if (large == REFERENCE_NONE || small == REFERENCE_NONE)
        return large == REFERENCE_NONE ? small : large;
    return bytes - reference->bytes[small] < reference->bytes[large] - bytes ? small : large;
}

uint32_t reference_nnvm(const struct reference *reference, uint64_t bytes, uint64_t range)
{
    uint32_t large = REFERENCE_NONE, small = REFERENCE_NONE;
    for (uint32_t o = 0; range && o < reference->objects; o++) {
        uint64_t have = reference->bytes[o], when = reference->released[o];
        if (!when)
            continue;
        if (have >= bytes && have <= bytes * range &&
            (large == REFERENCE_NONE || have < reference->bytes[large] ||
             (have == reference->bytes[large] && when < reference->released[large])))
            large = o;
        if (have < bytes && have >= bytes / range &&
            (small == REFERENCE_NONE || have > reference->bytes[small] ||
             (have == reference->bytes[small] && when > reference->released[small])))
            small = o;
    }
    return large == REFERENCE_NONE ? small : large;
}

uint32_t reference_first_enough(const struct reference *reference, uint64_t bytes,
                                uint64_t parameter)
{
    (void)parameter;
    for (uint32_t o = 0; o < reference->objects; o++)
        if (reference->released[o] && reference->bytes[o] >= bytes)
            return o;
    return REFERENCE_NONE;
}

/* By (end, object). */
static void release(struct reference *reference, uint32_t step)
{
    for (uint32_t end = 0; end <= step; end++)
        for (uint32_t o = 0; o < reference->objects; o++)
            if (!reference->released[o] && reference->ends[o] == end)
                reference->released[o] = ++reference->releases;
}

struct reference reference_in_order(const struct problem *problem, const uint64_t *bytes,
                                    reference_choice *choose, uint64_t parameter, bool early)
{
    struct reference reference = start_reference(problem);
    for (uint32_t step = 0; step < problem_steps(problem); step++)
        for (uint32_t b = 0; b < problem->buffers; b++) {
            if (problem_lower(problem, b) != step || is_fixed(problem, b))
                continue;
            release(&reference, step);
            put(&reference, choose(&reference, bytes[b], parameter), b, bytes[b]);
            reference.ends[reference.object[b]] = problem_upper(problem, b) - (early ? 1 : 0);
        }
    return reference;
}

static bool fits_object(const struct reference *reference, uint32_t object, uint32_t buffer)
{
    for (uint32_t b = 0; b < reference->problem->buffers; b++)
        if (reference->object[b] == object && reference_overlap(reference->problem, b, buffer))
            return false;
    return true;
}

uint64_t reference_round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* The largest buffer (in units) without an object among those live at the step (or all, at
   UINT32_MAX); of equals the first or the last. */
static uint32_t find_largest(const struct reference *reference, uint32_t step, uint64_t unit,
                             bool last)
{
    const struct problem *problem = reference->problem;
    uint32_t best = REFERENCE_NONE;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        bool live = step == UINT32_MAX ||
                    (problem_lower(problem, b) <= step && step < problem_upper(problem, b));
        if (!live || is_fixed(problem, b) || reference->object[b] != REFERENCE_NONE)
            continue;
        uint64_t size = reference_round_up(problem->size[b], unit);
        uint64_t most = best == REFERENCE_NONE ? 0 : reference_round_up(problem->size[best], unit);
        if (size > most || (last && size == most))
            best = b;
    }
    return best;
}

struct reference reference_by_size(const struct problem *problem)
{
    struct reference reference = start_reference(problem);
    uint32_t buffer;
    while ((buffer = find_largest(&reference, UINT32_MAX, 1, false)) != REFERENCE_NONE) {
        uint32_t object = 0;
        while (object < reference.objects && !fits_object(&reference, object, buffer))
            object++;
        put(&reference, object < reference.objects ? object : REFERENCE_NONE, buffer,
            problem->size[buffer]);
    }
    return reference;
}

static uint32_t find_suitable(const struct reference *reference, uint32_t buffer)
{
    uint64_t bytes = reference->problem->size[buffer];
    uint32_t large = REFERENCE_NONE, small = REFERENCE_NONE;
    for (uint32_t o = 0; o < reference->objects; o++) {
        if (!fits_object(reference, o, buffer))
            continue;
        if (reference->bytes[o] >= bytes &&
            (large == REFERENCE_NONE || reference->bytes[o] < reference->bytes[large]))
            large = o;
        if (reference->bytes[o] < bytes &&
            (small == REFERENCE_NONE || reference->bytes[o] > reference->bytes[small]))
            small = o;
    }
    return large == REFERENCE_NONE ? small : large;
}

static uint64_t sum_live(const struct problem *problem, uint32_t step)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (!is_fixed(problem, b) && problem_lower(problem, b) <= step &&
            step < problem_upper(problem, b))
            sum += problem->size[b];
    return sum;
}

struct reference reference_by_breadth(const struct problem *problem)
{
    struct reference reference = start_reference(problem);
    bool done[REFERENCE_MOST] = {false};
    uint32_t steps = problem_steps(problem), buffer;
    CU_ASSERT_FATAL(steps <= REFERENCE_MOST);
    for (uint32_t i = 0; i < steps; i++) {
        uint32_t best = steps;
        for (uint32_t s = 0; s < steps; s++)
            if (!done[s] && (best == steps || sum_live(problem, s) > sum_live(problem, best)))
                best = s;
        done[best] = true;
        while ((buffer = find_largest(&reference, best, 1, false)) != REFERENCE_NONE)
            put(&reference, find_suitable(&reference, buffer), buffer, problem->size[buffer]);
    }
    return reference;
}

/* The k-th largest of what is live is not below a size where more than k are not. */
static uint32_t find_position(const struct problem *problem, uint32_t buffer)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < problem_steps(problem); s++) {
        uint32_t count = 0;
        for (uint32_t b = 0; b < problem->buffers; b++)
            count += !is_fixed(problem, b) && problem_lower(problem, b) <= s &&
                     s < problem_upper(problem, b) && problem->size[b] >= problem->size[buffer];
        most = count > most ? count : most;
    }
    return most - 1;
}

enum { FAR = 1000000 };

struct distances {
    uint32_t position[REFERENCE_MOST], to[REFERENCE_MOST][REFERENCE_MOST];
    uint32_t best[REFERENCE_MOST], object[REFERENCE_MOST];
};

static uint32_t get_distance(const struct problem *problem, uint32_t a, uint32_t b)
{
    if (reference_overlap(problem, a, b))
        return FAR;
    return problem_upper(problem, a) <= problem_lower(problem, b)
               ? problem_lower(problem, b) - problem_upper(problem, a) + 1
               : problem_lower(problem, a) - problem_upper(problem, b) + 1;
}

static uint32_t find_next(const struct reference *reference, const struct distances *distances)
{
    const uint64_t *size = reference->problem->size;
    uint32_t best = REFERENCE_NONE;
    for (uint32_t b = 0; b < reference->problem->buffers; b++) {
        if (is_fixed(reference->problem, b) || reference->object[b] != REFERENCE_NONE)
            continue;
        if (best == REFERENCE_NONE || distances->position[b] < distances->position[best] ||
            (distances->position[b] == distances->position[best] &&
             (distances->best[b] < distances->best[best] ||
              (distances->best[b] == distances->best[best] && size[b] > size[best]))))
            best = b;
    }
    return best;
}

static void learn(const struct reference *reference, struct distances *distances, uint32_t buffer,
                  uint32_t placed)
{
    uint32_t object = reference->object[placed];
    uint32_t *to = &distances->to[buffer][object];
    uint32_t now = get_distance(reference->problem, buffer, placed);
    if (!fits_object(reference, object, buffer)) {
        *to = FAR;
        if (distances->object[buffer] != object)
            return;
        distances->best[buffer] = FAR;
        for (uint32_t o = 0; o < reference->objects; o++)
            if (distances->to[buffer][o] < distances->best[buffer]) {
                distances->best[buffer] = distances->to[buffer][o];
                distances->object[buffer] = o;
            }
        return;
    }
    *to = now < *to ? now : *to;
    if (now < distances->best[buffer]) {
        distances->best[buffer] = now;
        distances->object[buffer] = object;
    }
}

struct reference reference_by_distance(const struct problem *problem)
{
    struct reference reference = start_reference(problem);
    static struct distances distances;
    uint32_t next;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        distances.position[b] = find_position(problem, b);
        distances.best[b] = FAR;
        distances.object[b] = REFERENCE_NONE;
        for (uint32_t o = 0; o < REFERENCE_MOST; o++)
            distances.to[b][o] = FAR;
    }
    while ((next = find_next(&reference, &distances)) != REFERENCE_NONE) {
        put(&reference, distances.best[next] == FAR ? REFERENCE_NONE : distances.object[next], next,
            problem->size[next]);
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (reference.object[b] == REFERENCE_NONE && !is_fixed(problem, b))
                learn(&reference, &distances, b, next);
    }
    return reference;
}

struct reference reference_executorch(const struct problem *problem, uint64_t alignment,
                                      bool overlap)
{
    struct reference reference = start_reference(problem);
    uint32_t buffer;
    while ((buffer = find_largest(&reference, UINT32_MAX, alignment, true)) != REFERENCE_NONE) {
        uint64_t bytes = reference_round_up(problem->size[buffer], alignment), top = 0;
        uint32_t object = 0;
        while (object < reference.objects && !fits_object(&reference, object, buffer))
            object++;
        for (uint32_t o = 0; overlap && object == reference.objects && o < reference.objects; o++) {
            top = 0;
            for (uint32_t b = 0; b < problem->buffers; b++)
                if (reference.object[b] == o && reference_overlap(problem, b, buffer) &&
                    reference.inside[b] + reference_round_up(problem->size[b], alignment) > top)
                    top = reference.inside[b] + reference_round_up(problem->size[b], alignment);
            top = reference_round_up(top, problem_alignment(problem, buffer));
            if (top + bytes <= reference.bytes[o])
                object = o;
        }
        bool made = object == reference.objects;
        bool beside = !made && !fits_object(&reference, object, buffer);
        reference.inside[buffer] = beside ? top : 0;
        put(&reference, made ? REFERENCE_NONE : object, buffer, made ? bytes : 0);
    }
    return reference;
}

static bool is_aligned(const struct reference *reference, uint32_t object, uint64_t start)
{
    for (uint32_t b = 0; b < reference->problem->buffers; b++)
        if (reference->object[b] == object &&
            (start + reference->inside[b]) % problem_alignment(reference->problem, b))
            return false;
    return true;
}

/* Where the buffers are then: objects end to end, each rounded up to granule. */
static void lay_out(const struct reference *reference, uint64_t granule, uint64_t *offset)
{
    const struct problem *problem = reference->problem;
    uint64_t end = problem_fixed_end(problem);
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = problem_fixed_offset(problem, b);
    for (uint32_t o = 0; o < reference->objects; o++) {
        uint64_t start = end, needs = 0;
        while (!is_aligned(reference, o, start))
            start++;
        for (uint32_t b = 0; b < problem->buffers; b++) {
            if (reference->object[b] != o)
                continue;
            offset[b] = start + reference->inside[b];
            if (reference->inside[b] + problem->size[b] > needs)
                needs = reference->inside[b] + problem->size[b];
        }
        end = start + reference_round_up(needs, granule);
    }
}

void reference_expect(const struct reference_example *example)
{
    struct problem *problem = made_problem(example->rows, example->count);
    struct plan *plan = rule_test_run(example->planner, problem);
    for (uint32_t b = 0; b < example->count; b++) {
        if (plan->offset[b] != example->offset[b])
            printf("\n    %s: buffer %u at %llu ", example->planner, b,
                   (unsigned long long)plan->offset[b]);
        CU_ASSERT_EQUAL(plan->offset[b], example->offset[b]);
    }
    CU_ASSERT_EQUAL(plan->measures.pools, example->pools);
    CU_ASSERT_EQUAL(plan->measures.pool_bytes, example->pool_bytes);
    plan_free(plan);
    problem_free(problem);
}

void reference_compare(const char *planner, const struct reference *reference, uint64_t granule,
                       uint64_t seed)
{
    const struct problem *problem = reference->problem;
    struct plan *plan = rule_test_run(planner, problem);
    uint64_t offset[REFERENCE_MOST], sum = 0;
    lay_out(reference, granule, offset);
    for (uint32_t o = 0; o < reference->objects; o++)
        sum += reference->bytes[o];
    bool same = plan->measures.pools == reference->objects && plan->measures.pool_bytes == sum;
    for (uint32_t b = 0; b < problem->buffers; b++)
        same = same && plan->offset[b] == offset[b];
    if (!same)
        printf("\n    %s: another plan for seed %llu ", planner, (unsigned long long)seed);
    CU_ASSERT_TRUE_FATAL(same);
    plan_free(plan);
}
