/* StaticPlanBlockMemory of TVM Relax, apache/tvm src/relax/transform/static_plan_block_memory.cc @
   cec83d1badec, where the parameters have upper bounds and where they have none. Each object is an
   allocation of its own; here they lie end to end.

   Departures: dtypes do not keep tensors apart. */

#include "core/checked.h"
#include "heuristics/sizes/calls.h"
#include "heuristics/sizes/size_rules.h"

struct object {
    uint64_t bytes; /* at the greatest sizes, and then at those that came */
    uint32_t same;  /* of symbolic ones, the first buffer with that expression */
    bool is_free;
};

/* The object that a buffer gets, `count` for a new one. Of known sizes: the smallest from its size
   to 16 times that, the oldest of equal ones; else the largest from a 16th on. */
static uint32_t find_object(const struct object *object, uint32_t count, uint64_t size)
{
    enum { MOST_TIMES = 16 };
    uint32_t larger = count, smaller = count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes = object[i].bytes;
        if (!object[i].is_free)
            continue;
        if (bytes >= size && bytes / MOST_TIMES + (bytes % MOST_TIMES != 0) <= size &&
            (larger == count || bytes < object[larger].bytes))
            larger = i;
        if (bytes < size && bytes >= size / MOST_TIMES + (size % MOST_TIMES != 0) &&
            (smaller == count || bytes > object[smaller].bytes))
            smaller = i;
    }
    return larger < count ? larger : smaller;
}

static uint32_t find_same(const struct object *object, uint32_t count, uint32_t same)
{
    uint32_t i = 0;
    while (i < count && !(object[i].is_free && object[i].same == same))
        i++;
    return i;
}

static enum status run(const struct size_rule_task *task, bool symbolic, uint64_t *offset,
                       uint64_t *peak_bytes, struct error *error)
{
    const struct problem *problem = task->family->problem;
    const uint64_t *size = symbolic ? task->size : problem->size;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct event *event;
    struct object *object;
    uint64_t *begin;
    uint32_t *taken, count = 0;
    TRY(size_rules_calls(problem, &event, &scratch, error));
    TRY(scratch_take(&scratch, &object, problem->buffers, sizeof *object, error));
    TRY(scratch_take(&scratch, &begin, problem->buffers, sizeof *begin, error));
    TRY(scratch_take(&scratch, &taken, problem->buffers, sizeof *taken, error));
    for (uint32_t i = 0; i < 2 * problem->buffers; i++) {
        uint32_t b = event[i].buffer;
        uint32_t same = task->family->same[b];
        if (!event[i].frees) {
            taken[b] =
                symbolic ? find_same(object, count, same) : find_object(object, count, size[b]);
            if (taken[b] == count)
                object[count++] = (struct object){size[b], same, false};
            if (object[taken[b]].bytes < size[b])
                object[taken[b]].bytes = size[b];
        }
        object[taken[b]].is_free = event[i].frees;
    }
    uint64_t unit, bytes;
    TRY(size_rules_find_unit(problem, 1, &unit, error));
    *peak_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        begin[i] = *peak_bytes;
        if (!checked_align(object[i].bytes, unit, &bytes) ||
            !checked_add(*peak_bytes, bytes, peak_bytes) || *peak_bytes > INT64_MAX)
            return size_rules_fail_full(error);
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = begin[taken[b]];
    return STATUS_OK;
}

enum status size_rules_relax(const struct size_rule_task *task, uint64_t *offset,
                             uint64_t *peak_bytes, struct error *error)
{
    return run(task, false, offset, peak_bytes, error);
}

enum status size_rules_relax_symbolic(const struct size_rule_task *task, uint64_t *offset,
                                      uint64_t *peak_bytes, struct error *error)
{
    return run(task, true, offset, peak_bytes, error);
}
