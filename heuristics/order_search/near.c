#include "heuristics/order_search/evaluate.h"

/* Below this insertion is faster than merging. */
enum { FEW = 32 };

/* The placed ones of a list, and where in the list they stand; whether they stand in order. */
static uint64_t collect_near(struct evaluator *evaluator, uint32_t buffer, bool *sorted)
{
    const struct conflicts *conflicts = evaluator->conflicts;
    struct near *near = evaluator->near;
    uint64_t count = 0, last = 0;
    *sorted = true;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        uint64_t begin = evaluator->place[other].begin;
        near[count] = (struct near){begin, other};
        evaluator->slot[count] = i;
        bool placed = begin != PROBLEM_FREE;
        *sorted &= !placed | (begin >= last);
        last = placed ? begin : last;
        count += placed;
    }
    return count;
}

static void sort_by_insertion(struct near *near, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        struct near moved = near[i];
        uint64_t hole = i;
        for (; hole > 0 && near[hole - 1].begin > moved.begin; hole--)
            near[hole] = near[hole - 1];
        near[hole] = moved;
    }
}

static uint64_t find_run_end(const struct near *near, uint64_t start, uint64_t count)
{
    uint64_t end = start + 1;
    while (end < count && near[end - 1].begin <= near[end].begin)
        end++;
    return end < count ? end : count;
}

/* Merges each two neighbouring runs; the number of runs that leaves. */
static uint64_t merge_runs(const struct near *from, struct near *to, uint64_t count)
{
    uint64_t runs = 0;
    for (uint64_t start = 0, end; start < count; start = end, runs++) {
        uint64_t middle = find_run_end(from, start, count);
        end = middle < count ? find_run_end(from, middle, count) : count;
        uint64_t a = start, b = middle;
        for (uint64_t k = start; k < end; k++)
            to[k] =
                b >= end || (a < middle && from[a].begin <= from[b].begin) ? from[a++] : from[b++];
    }
    return runs;
}

static void sort_near(struct evaluator *evaluator, uint64_t count)
{
    if (count <= FEW) {
        sort_by_insertion(evaluator->near, count);
        return;
    }
    uint64_t runs;
    do {
        runs = merge_runs(evaluator->near, evaluator->merged, count);
        struct near *sorted = evaluator->merged;
        evaluator->merged = evaluator->near;
        evaluator->near = sorted;
    } while (runs > 1);
}

/* Sorted once, a list is nearly sorted the next time: orders that are evaluated one after another
   place most buffers alike. */
uint64_t evaluate_near(struct evaluator *evaluator, uint32_t buffer)
{
    bool sorted;
    uint64_t count = collect_near(evaluator, buffer, &sorted);
    if (sorted)
        return count;
    sort_near(evaluator, count);
    for (uint64_t i = 0; i < count; i++)
        evaluator->conflicts->other[evaluator->slot[i]] = evaluator->near[i].buffer;
    return count;
}
