#include "planning/verify/paths/writes.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/verify/extents.h"

static void report(struct verify_walk *walk, uint32_t a, uint32_t b, uint32_t step)
{
    assert(a < walk->graph->tensors && b < walk->graph->tensors);
    if (!walk->verdict->fault)
        *walk->verdict = verify_overlap(a, b, step);
}

uint32_t verify_find_overwritable(const struct verify_walk *walk, uint32_t tensor, uint32_t reads)
{
    const struct verify_needs *needs = &walk->needs;
    assert(tensor < walk->graph->tensors);
    uint32_t other = walk->overwrites[tensor];
    if (other == GRAPH_NONE || !placement_starts_on(walk->placement, walk->graph, tensor, other))
        return GRAPH_NONE;
    uint32_t place = needs->place[other] == VERIFY_PLACE_VIEWED ? needs->link[other] : other;
    assert(needs->place[place] != VERIFY_PLACE_VIEWED);
    return verify_needs_has_place(needs, place) && needs->claims[place] == reads ? place
                                                                                 : GRAPH_NONE;
}

/* The tensor of an occupied place in the span `around`, other than `own` and `overwritable`, that
   has some of the written bytes; GRAPH_NONE where there is none. */
static uint32_t find_hit(const struct verify_walk *walk, struct verify_span around,
                         const struct extents_walk *written, uint32_t own, uint32_t overwritable)
{
    const struct verify_needs *needs = &walk->needs;
    for (uint32_t at = 0, place; verify_spans_next(&needs->occupied, around, &at, &place);)
        if (place != own && place != overwritable &&
            verify_share_bytes(placement_begin(walk->placement, place, needs->bytes[place]),
                               written))
            return place;
    return GRAPH_NONE;
}

void verify_check_written(struct verify_walk *walk, uint32_t tensor, uint32_t overwritable,
                          uint32_t step)
{
    const struct verify_needs *needs = &walk->needs;
    if (needs->place[tensor] != VERIFY_PLACE_OWN || walk->verdict->fault)
        return;
    const struct extents_walk written =
        placement_begin(walk->placement, tensor, needs->bytes[tensor]);
    uint32_t hit =
        find_hit(walk, verify_spans_get(&needs->occupied, tensor), &written, tensor, overwritable);
    if (hit != GRAPH_NONE)
        report(walk, tensor, hit, step);
}

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

/* The bytes that the copy writes: into a result as many as the copied value has, into a carried
   argument always the same number. */
static struct extents_walk begin_written(const struct verify_walk *walk, uint32_t target,
                                         struct value copied)
{
    bool result = walk->needs.place[target] == VERIFY_PLACE_RESULT;
    assert(verify_needs_has_place(&walk->needs, target));
    return placement_begin(walk->placement, target,
                           walk->needs.bytes[result ? copied.what : target]);
}

/* Whether the copied value lies exactly in the place of the target, so that nothing is written. Not
   where a branch may have yielded fewer bytes than a carried argument has. */
static bool lies_there(const struct verify_walk *walk, uint32_t target, struct value copied)
{
    const struct verify_needs *needs = &walk->needs;
    uint64_t bytes = needs->bytes[copied.what];
    bool fits = needs->place[target] == VERIFY_PLACE_RESULT ||
                (bytes == needs->bytes[target] && !depends_on_branch(needs, copied));
    return fits && copied.where != GRAPH_NONE &&
           extents_coincide(placement_begin(walk->placement, copied.where, bytes),
                            placement_begin(walk->placement, target, bytes));
}

/* Whether the copy leaves the other value alone, wherever it comes from. */
static bool are_apart(const struct trace *trace, struct value copied, struct value other)
{
    const struct verify_walk *walk = trace->walk;
    if (trace->copy.exchanges && other.where == other.what &&
        walk->graph->tensor[other.what].producer == trace->copy.op)
        return true;
    if (other.where == GRAPH_NONE)
        return !depends_on_branch(&walk->needs, other);
    const struct extents_walk written = begin_written(walk, trace->copy.target, copied);
    uint64_t bytes = walk->needs.bytes[other.what];
    return !verify_share_bytes(placement_begin(walk->placement, other.where, bytes), &written);
}

static enum status meet(struct trace *trace, struct value copied, struct value other)
{
    copied = follow_links(&trace->walk->needs, copied);
    other = follow_links(&trace->walk->needs, other);
    if (lies_there(trace->walk, trace->copy.target, copied) || are_apart(trace, copied, other))
        return STATUS_OK;
    uint32_t mixed = copied.what * 0x9e3779b1u + copied.where;
    mixed = mixed * 0x9e3779b1u + other.what;
    mixed = mixed * 0x9e3779b1u + other.where;
    uint32_t *bucket = &trace->bucket[mixed >> 22];
    for (uint32_t i = *bucket; i != GRAPH_NONE; i = trace->pair[i].next)
        if (memcmp(&trace->pair[i].copied, &copied, sizeof copied) == 0 &&
            memcmp(&trace->pair[i].other, &other, sizeof other) == 0)
            return STATUS_OK;
    TRY(memory_reserve(&trace->pair, &trace->capacity, (size_t)trace->count + 1,
                       sizeof *trace->pair, trace->walk->error));
    trace->pair[trace->count] = (struct pair_of_values){copied, other, *bucket};
    *bucket = trace->count++;
    return STATUS_OK;
}

/* What the value is on the ways that leave operator o by this region. */
static struct value enter_branch(const struct verify_walk *walk, struct value value, uint32_t o,
                                 uint32_t region)
{
    if (depends_on_branch(&walk->needs, value) && walk->graph->tensor[value.what].producer == o)
        value.what = graph_yield(walk->graph, region, walk->needs.link[value.what]);
    return value;
}

/* Goes back through the branches of the If that is left last, of those whose taken branch the two
   values depend on. Where neither depends on one they are there together. */
static enum status trace_back(struct trace *trace, struct pair_of_values pair)
{
    struct verify_walk *walk = trace->walk;
    const struct graph *graph = walk->graph;
    const struct value value[] = {pair.copied, pair.other};
    uint32_t last = GRAPH_NONE;
    for (int i = 0; i < 2; i++) {
        uint32_t o = graph->tensor[value[i].what].producer;
        assert(value[i].what < graph->tensors);
        if (depends_on_branch(&walk->needs, value[i]) &&
            (last == GRAPH_NONE || walk->leave_step[o] > walk->leave_step[last]))
            last = o;
    }
    if (last == GRAPH_NONE) {
        assert(pair.other.where != GRAPH_NONE);
        report(walk, trace->copy.target, pair.other.where, walk->leave_step[trace->copy.op]);
        return STATUS_OK;
    }
    assert(graph_has_branches(graph, last));
    for (uint32_t r = graph->op[last].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(meet(trace, enter_branch(walk, pair.copied, last, r),
                 enter_branch(walk, pair.other, last, r)));
    return STATUS_OK;
}

static enum status check_copy(struct verify_walk *walk, struct copy copy, uint32_t other,
                              uint32_t where)
{
    struct trace trace = {.walk = walk, .copy = copy};
    memset(trace.bucket, 0xff, sizeof trace.bucket);
    assert(copy.target < walk->graph->tensors && other < walk->graph->tensors);
    enum status status =
        meet(&trace, (struct value){copy.source, GRAPH_NONE}, (struct value){other, where});
    while (!status && trace.done < trace.count && !walk->verdict->fault)
        status = trace_back(&trace, trace.pair[trace.done++]);
    memory_free(trace.pair);
    return status;
}

static enum status check_against_all(struct verify_walk *walk, struct copy copy,
                                     struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        TRY(check_copy(walk, copy, walk->graph->list[tensors.first + i], GRAPH_NONE));
    return STATUS_OK;
}

/* Checks the copy against all that is needed after it, unless it writes nothing (*coincides). Where
   it hits no occupied place nothing is in its way; otherwise each needed value is traced back,
   since it may be elsewhere on the paths on which the copy is made. */
static enum status check_against_needed(struct verify_walk *walk, struct copy copy, bool *coincides)
{
    const struct verify_needs *needs = &walk->needs;
    const struct value source = {copy.source, GRAPH_NONE};
    *coincides = lies_there(walk, copy.target, follow_links(needs, source));
    if (*coincides)
        return STATUS_OK;
    const struct extents_walk written = begin_written(walk, copy.target, source);
    copy.exchanges = false;
    if (find_hit(walk, verify_span_around(written), &written, copy.target,
                 verify_find_overwritable(walk, copy.target, 0)) == GRAPH_NONE)
        return STATUS_OK;
    for (uint32_t i = 0; i < needs->needed.count; i++)
        if (needs->needed.item[i] != copy.target)
            TRY(check_copy(walk, copy, needs->needed.item[i], GRAPH_NONE));
    return STATUS_OK;
}

enum status verify_check_leave(struct verify_walk *walk, uint32_t o, uint32_t region)
{
    const struct graph *graph = walk->graph;
    const uint32_t *result = graph->list + graph->op[o].outputs.first;
    assert(graph->region[region].owner == o);
    for (uint32_t i = 0; i < graph->op[o].outputs.count; i++) {
        const struct copy copy = {o, graph_yield(graph, region, i), result[i], false};
        bool coincides;
        if (walk->needs.place[copy.target] != VERIFY_PLACE_RESULT)
            continue;
        TRY(check_against_needed(walk, copy, &coincides));
        for (uint32_t j = 0; !coincides && j < graph->op[o].outputs.count; j++) {
            uint32_t other = graph_yield(graph, region, j);
            if (i == j)
                continue;
            TRY(check_copy(walk, copy, other, GRAPH_NONE));
            if (walk->needs.place[result[j]] == VERIFY_PLACE_RESULT)
                TRY(check_copy(walk, copy, other, result[j]));
        }
    }
    return STATUS_OK;
}

enum status verify_check_arguments(struct verify_walk *walk, uint32_t o, bool enters)
{
    const struct graph *graph = walk->graph;
    const struct graph_operator *loop = &graph->op[o];
    const struct graph_carried *carried = graph->carried + loop->carried.first;
    assert(loop->loop);
    for (uint32_t c = 0; c < loop->carried.count; c++) {
        const struct copy copy = {o, enters ? carried[c].init : carried[c].yield,
                                  carried[c].argument, !enters};
        bool coincides;
        if (!verify_needs_has_place(&walk->needs, copy.target))
            continue;
        TRY(check_against_needed(walk, copy, &coincides));
        if (coincides)
            continue;
        if (enters)
            TRY(check_against_all(walk, copy, loop->inputs));
        for (uint32_t r = loop->first_region; !enters && r != GRAPH_NONE; r = graph->region[r].next)
            TRY(check_against_all(walk, copy, graph->region[r].yields));
        for (uint32_t d = 0; d < loop->carried.count; d++)
            if (d != c)
                TRY(check_copy(walk, copy, enters ? carried[d].init : carried[d].yield,
                               GRAPH_NONE));
    }
    return STATUS_OK;
}
