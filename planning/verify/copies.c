#include "planning/verify/copies.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/verify/extents.h"
#include "planning/verify/needed.h"
#include "planning/verify/writes.h"

/* Which bytes a copy reads and writes, and where another value is, can depend on branches that were
   taken before, and on the same ones: of an If that has left p and q in one branch, u and v in the
   other, p and v are never there together. So both values are traced back through the Ifs that they
   come from, the one that was left last first, and through the same branch where it is the same. */

/* A value on its way back: the tensor `what` has it at this point, and it lies in the place of the
   tensor `where`, the first one on the way that has a place; GRAPH_NONE while none had. */
struct value {
    uint32_t what, where;
};

struct copy {
    uint32_t op, source, target;
    bool exchanges; /* the copies are of one loop's arguments, which may be exchanged */
};

struct pair_of_values {
    struct value copied, other;
    uint32_t next; /* the next pair in the same bucket, GRAPH_NONE */
};

enum { BUCKETS = 1024 };

struct trace {
    struct verify_walk *walk;
    struct copy copy;
    struct pair_of_values *pair; /* all that were met; the first `done` were traced back further */
    size_t capacity;
    uint32_t count, done;
    uint32_t bucket[BUCKETS];
};

static struct value follow_links(const struct verify_needs *needs, struct value value)
{
    while (needs->place[value.what] == VERIFY_PLACE_VIEWED ||
           needs->place[value.what] == VERIFY_PLACE_ARGUMENT)
        value.what = needs->link[value.what];
    assert(value.what < needs->graph->tensors);
    if (value.where == GRAPH_NONE && verify_needs_has_place(needs, value.what))
        value.where = value.what;
    return value;
}

static bool depends_on_branch(const struct verify_needs *needs, struct value value)
{
    return needs->place[value.what] == VERIFY_PLACE_YIELDED ||
           needs->place[value.what] == VERIFY_PLACE_RESULT;
}

/* How many bytes the copy writes: into a result as many as the copied value has, into a carried
   argument always the same number. */
static uint64_t count_written(const struct trace *trace, struct value copied)
{
    const struct verify_needs *needs = &trace->walk->needs;
    bool result = needs->place[trace->copy.target] == VERIFY_PLACE_RESULT;
    return needs->bytes[result ? copied.what : trace->copy.target];
}

/* Whether the copied value lies exactly in the place of the target, so that nothing is written. Not
   where a branch may have yielded fewer bytes than a carried argument has. */
static bool lies_there(const struct trace *trace, struct value copied)
{
    const struct verify_needs *needs = &trace->walk->needs;
    uint64_t bytes = count_written(trace, copied);
    bool resized =
        needs->place[trace->copy.target] != VERIFY_PLACE_RESULT && depends_on_branch(needs, copied);
    if (copied.where == GRAPH_NONE || needs->bytes[copied.what] != bytes || resized)
        return false;
    return extents_coincide(verify_begin(trace->walk, copied.where, bytes),
                            verify_begin(trace->walk, trace->copy.target, bytes));
}

static bool is_exempt(const struct trace *trace, struct value other)
{
    uint32_t producer = trace->walk->graph->tensor[other.what].producer;
    return trace->copy.exchanges && other.where == other.what && producer == trace->copy.op;
}

static bool are_apart(const struct trace *trace, struct value copied, struct value other)
{
    const struct verify_walk *walk = trace->walk;
    if (other.where == GRAPH_NONE)
        return !depends_on_branch(&walk->needs, other);
    const struct extents_walk written =
        verify_begin(walk, trace->copy.target, count_written(trace, copied));
    return !verify_share_bytes(verify_begin(walk, other.where, walk->needs.bytes[other.what]),
                               &written);
}

static uint32_t choose_bucket(struct value copied, struct value other)
{
    uint32_t mixed = copied.what * 0x9e3779b1u + copied.where;
    mixed = mixed * 0x9e3779b1u + other.what;
    mixed = mixed * 0x9e3779b1u + other.where;
    return mixed >> 22;
}

static bool was_met(const struct trace *trace, struct value copied, struct value other)
{
    uint32_t i = trace->bucket[choose_bucket(copied, other)];
    while (i != GRAPH_NONE && (memcmp(&trace->pair[i].copied, &copied, sizeof copied) != 0 ||
                               memcmp(&trace->pair[i].other, &other, sizeof other) != 0))
        i = trace->pair[i].next;
    return i != GRAPH_NONE;
}

static enum status meet(struct trace *trace, struct value copied, struct value other)
{
    copied = follow_links(&trace->walk->needs, copied);
    other = follow_links(&trace->walk->needs, other);
    if (lies_there(trace, copied) || is_exempt(trace, other) || are_apart(trace, copied, other) ||
        was_met(trace, copied, other))
        return STATUS_OK;
    uint32_t *bucket = &trace->bucket[choose_bucket(copied, other)];
    TRY(memory_reserve(&trace->pair, &trace->capacity, (size_t)trace->count + 1,
                       sizeof *trace->pair, trace->walk->error));
    trace->pair[trace->count] = (struct pair_of_values){copied, other, *bucket};
    *bucket = trace->count++;
    return STATUS_OK;
}

/* Of the Ifs whose taken branch the two values depend on, the one that is left last; GRAPH_NONE
   where neither value depends on one. */
static uint32_t find_last_left(const struct trace *trace, const struct pair_of_values *pair)
{
    const struct graph *graph = trace->walk->graph;
    const struct value value[] = {pair->copied, pair->other};
    uint32_t last = GRAPH_NONE;
    for (int i = 0; i < 2; i++) {
        uint32_t o = graph->tensor[value[i].what].producer;
        if (depends_on_branch(&trace->walk->needs, value[i]) &&
            (last == GRAPH_NONE || trace->walk->leave_step[o] > trace->walk->leave_step[last]))
            last = o;
    }
    assert(last == GRAPH_NONE || graph->op[last].first_region != GRAPH_NONE);
    return last;
}

static struct value enter_branch(const struct trace *trace, struct value value, uint32_t o,
                                 uint32_t region)
{
    const struct graph *graph = trace->walk->graph;
    if (depends_on_branch(&trace->walk->needs, value) && graph->tensor[value.what].producer == o)
        value.what =
            graph->list[graph->region[region].yields.first + trace->walk->needs.link[value.what]];
    return value;
}

static enum status trace_back(struct trace *trace, struct pair_of_values pair)
{
    const struct graph *graph = trace->walk->graph;
    uint32_t o = find_last_left(trace, &pair);
    if (o == GRAPH_NONE) {
        assert(pair.other.where != GRAPH_NONE);
        verify_report(trace->walk, trace->copy.target, pair.other.where,
                      trace->walk->leave_step[trace->copy.op]);
        return STATUS_OK;
    }
    assert(!graph->op[o].loop && graph->op[o].first_region != GRAPH_NONE);
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(meet(trace, enter_branch(trace, pair.copied, o, r),
                 enter_branch(trace, pair.other, o, r)));
    return STATUS_OK;
}

static enum status check_copy(struct verify_walk *walk, struct copy copy, struct value other)
{
    struct trace trace = {.walk = walk, .copy = copy};
    enum status status;
    memset(trace.bucket, 0xff, sizeof trace.bucket);
    TRY_OR_DONE(status, meet(&trace, (struct value){copy.source, GRAPH_NONE}, other));
    while (trace.done < trace.count && !walk->verdict->fault)
        TRY_OR_DONE(status, trace_back(&trace, trace.pair[trace.done++]));
done:
    memory_free(trace.pair);
    return status;
}

static enum status check_against(struct verify_walk *walk, struct copy copy, uint32_t tensor)
{
    return check_copy(walk, copy, (struct value){tensor, GRAPH_NONE});
}

static enum status check_against_all(struct verify_walk *walk, struct copy copy,
                                     struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        TRY(check_against(walk, copy, walk->graph->list[tensors.first + i]));
    return STATUS_OK;
}

static bool hits_occupied(struct verify_walk *walk, struct copy copy)
{
    const struct verify_needs *needs = &walk->needs;
    const struct trace trace = {.walk = walk, .copy = copy};
    const uint32_t overwritable = verify_find_overwritable(walk, copy.target, 0);
    const struct extents_walk written = verify_begin(
        walk, copy.target, count_written(&trace, (struct value){copy.source, GRAPH_NONE}));
    const struct verify_span span = verify_span_around(written);
    for (uint32_t at = 0, place; verify_spans_next(&needs->occupied, span, &at, &place);) {
        if (place != overwritable && place != copy.target &&
            verify_share_bytes(verify_begin(walk, place, needs->bytes[place]), &written))
            return true;
    }
    return false;
}

/* Checks the copy against all that is needed after it. Where it writes no occupied place nothing is
   in its way; otherwise each needed value is traced back, since it may be elsewhere on the paths on
   which the copy is made. */
static enum status check_against_needed(struct verify_walk *walk, struct copy copy)
{
    const struct verify_needs *needs = &walk->needs;
    assert(verify_needs_has_place(needs, copy.target));
    copy.exchanges = false;
    if (!hits_occupied(walk, copy))
        return STATUS_OK;
    for (uint32_t i = 0; i < needs->needed.count; i++)
        if (needs->needed.tensor[i] != copy.target)
            TRY(check_against(walk, copy, needs->needed.tensor[i]));
    return STATUS_OK;
}

static bool stays(struct verify_walk *walk, struct copy copy)
{
    const struct trace trace = {.walk = walk, .copy = copy};
    return lies_there(&trace, follow_links(&walk->needs, (struct value){copy.source, GRAPH_NONE}));
}

static struct copy get_result(const struct verify_walk *walk, uint32_t o, uint32_t region,
                              uint32_t position)
{
    const struct graph *graph = walk->graph;
    assert(position < graph->region[region].yields.count);
    return (struct copy){o, graph->list[graph->region[region].yields.first + position],
                         graph->list[graph->op[o].outputs.first + position], false};
}

enum status verify_check_leave(struct verify_walk *walk, uint32_t o, uint32_t region)
{
    uint32_t results = walk->graph->op[o].outputs.count;
    for (uint32_t i = 0; i < results; i++) {
        struct copy copy = get_result(walk, o, region, i);
        if (walk->needs.place[copy.target] != VERIFY_PLACE_RESULT || stays(walk, copy))
            continue;
        TRY(check_against_needed(walk, copy));
        for (uint32_t j = 0; j < results; j++) {
            struct copy other = get_result(walk, o, region, j);
            if (i == j)
                continue;
            TRY(check_against(walk, copy, other.source));
            if (walk->needs.place[other.target] == VERIFY_PLACE_RESULT)
                TRY(check_copy(walk, copy, (struct value){other.source, other.target}));
        }
    }
    return STATUS_OK;
}

/* Checks the copies into the loop's arguments, of their inits when it is entered, else of what a
   turn yields for them. */
static enum status check_arguments(struct verify_walk *walk, uint32_t o, bool enters)
{
    const struct graph *graph = walk->graph;
    const struct graph_operator *loop = &graph->op[o];
    const struct graph_carried *carried = graph->carried + loop->carried.first;
    assert(loop->loop);
    for (uint32_t c = 0; c < loop->carried.count; c++) {
        struct copy copy = {o, enters ? carried[c].init : carried[c].yield, carried[c].argument,
                            !enters};
        if (!verify_needs_has_place(&walk->needs, copy.target) || stays(walk, copy))
            continue;
        TRY(check_against_needed(walk, copy));
        if (enters)
            TRY(check_against_all(walk, copy, loop->inputs));
        for (uint32_t r = loop->first_region; !enters && r != GRAPH_NONE; r = graph->region[r].next)
            TRY(check_against_all(walk, copy, graph->region[r].yields));
        for (uint32_t d = 0; d < loop->carried.count; d++)
            if (d != c)
                TRY(check_against(walk, copy, enters ? carried[d].init : carried[d].yield));
    }
    return STATUS_OK;
}

enum status verify_check_enter(struct verify_walk *walk, uint32_t o)
{
    return check_arguments(walk, o, true);
}

enum status verify_check_turn_end(struct verify_walk *walk, uint32_t o)
{
    return check_arguments(walk, o, false);
}
