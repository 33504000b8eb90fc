#include "planning/policies/reuse_waits.h"

#include <assert.h>
#include <stdlib.h>

#include "core/binary_search.h"
#include "core/compare.h"
#include "core/groups.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "planning/graph/add_waits.h"
#include "planning/graph/happens_before.h"
#include "planning/graph/predecessors.h"
#include "planning/graph/value_bytes.h"

/* A tensor, and the step at which it is first written. */
struct birth {
    uint32_t step, tensor;
};

struct reuse {
    const struct graph *graph;
    const struct placement *placement;
    struct happens_before *order;
    uint64_t *bytes;     /* [tensors] */
    uint32_t *place;     /* [tensors] the tensor in whose place it is */
    struct groups uses;  /* [tensors] operators that write, read or hand out what is in the place */
    bool counting;       /* the uses are counted now, else listed */
    struct birth *birth; /* [births] in rising order */
    uint32_t births;
    uint64_t *border; /* [borders] where cells of the arena begin and end, in rising order */
    uint32_t borders;
    uint32_t *holder; /* [borders] the tensor that was written last into the cell from this border
                         on, or GRAPH_NONE */
    struct graph_wait *wait;
    uint32_t *
        older; /* [waits] 1 + the wait that was added before it for the same operator, 0 for none */
    uint32_t *newest; /* [operators] 1 + the wait that was added last for it, 0 for none */
    uint32_t waits;
    size_t wait_capacity, older_capacity, border_capacity;
    struct scratch scratch; /* of the arrays that do not grow */
    struct error *error;
};

static enum status take(struct reuse *reuse, void *block, size_t count, size_t item_bytes)
{
    return scratch_take(&reuse->scratch, block, count, item_bytes, reuse->error);
}

typedef void visit_use(struct reuse *reuse, uint32_t tensor, uint32_t op);

/* Lists which operators use each place, in rising order. */
static void add_use(struct reuse *reuse, uint32_t tensor, uint32_t op)
{
    assert(reuse->place[tensor] < reuse->uses.lists);
    if (reuse->counting)
        groups_count(&reuse->uses, reuse->place[tensor]);
    else
        groups_add(&reuse->uses, reuse->place[tensor], op);
}

static void add_uses(struct reuse *reuse, struct span tensors, uint32_t op)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        add_use(reuse, reuse->graph->list[tensors.first + i], op);
}

/* Lists which operators use each place, in rising order. */
static enum status find_uses(struct reuse *reuse)
{
    const struct graph *graph = reuse->graph;
    TRY(take(reuse, &reuse->place, graph->tensors, sizeof(uint32_t)));
    for (uint32_t t = 0; t < graph->tensors; t++)
        reuse->place[t] = t;
    for (uint32_t c = 0; c < graph->carried_count; c++)
        reuse->place[graph->carried[c].result] = graph->carried[c].argument;
    TRY(groups_begin(&reuse->uses, graph->tensors, reuse->error));
    for (int pass = 0; pass < 2; pass++) {
        reuse->counting = pass == 0;
        for (uint32_t o = 0; o < graph->operators; o++) {
            const struct graph_operator *op = &graph->op[o];
            add_uses(reuse, op->outputs, o);
            add_uses(reuse, op->inputs, o);
            for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++) {
                add_use(reuse, graph->carried[c].argument, o);
                add_use(reuse, graph->carried[c].init, o);
                add_use(reuse, graph->carried[c].yield, o);
            }
            for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
                add_uses(reuse, graph->region[r].yields, o);
        }
        if (reuse->counting)
            TRY(groups_end_counting(&reuse->uses, reuse->error));
    }
    return STATUS_OK;
}

COMPARE_MEMBERS(compare_births, struct birth, step, tensor)

/* Lists the tensors in the order in which their places are first written. What a loop makes is
   written from entering it on, its arguments once more when it is left, since what a turn makes may
   have had their bytes; the graph's inputs are there before the first step. */
static enum status find_births(struct reuse *reuse)
{
    const struct graph *graph = reuse->graph;
    TRY(take(reuse, &reuse->birth, (size_t)graph->tensors + graph->carried_count,
             sizeof *reuse->birth));
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint32_t producer = graph->tensor[t].producer;
        assert(producer == GRAPH_NONE || producer < graph->operators);
        if (reuse->placement->offset[t] == PROBLEM_FREE || reuse->place[t] != t)
            continue;
        uint32_t step = producer == GRAPH_NONE     ? 0
                        : graph->op[producer].loop ? reuse->order->enter_step[producer] + 1
                                                   : reuse->order->leave_step[producer] + 1;
        reuse->birth[reuse->births++] = (struct birth){step, t};
    }
    for (uint32_t c = 0; c < graph->carried_count; c++) {
        uint32_t argument = graph->carried[c].argument;
        assert(reuse->place[argument] == argument);
        if (reuse->placement->offset[argument] != PROBLEM_FREE)
            reuse->birth[reuse->births++] = (struct birth){
                reuse->order->leave_step[graph->tensor[argument].producer] + 1, argument};
    }
    assert(reuse->births <= graph->tensors + graph->carried_count);
    if (reuse->births)
        qsort(reuse->birth, reuse->births, sizeof *reuse->birth, compare_births);
    return STATUS_OK;
}

static enum status find_cells(struct reuse *reuse)
{
    size_t borders = 0;
    for (uint32_t i = 0; i < reuse->births; i++) {
        uint32_t tensor = reuse->birth[i].tensor;
        struct extents_walk walk = placement_begin(reuse->placement, tensor, reuse->bytes[tensor]);
        struct extent extent;
        while (extents_next(&walk, &extent)) {
            TRY(memory_reserve(&reuse->border, &reuse->border_capacity, borders + 2,
                               sizeof *reuse->border, reuse->error));
            reuse->border[borders++] = extent.offset;
            reuse->border[borders++] = extent.offset + extent.bytes;
        }
    }
    if (borders)
        qsort(reuse->border, borders, sizeof *reuse->border, compare_number_items);
    for (size_t b = 0; b < borders; b++)
        if (!reuse->borders || reuse->border[reuse->borders - 1] != reuse->border[b])
            reuse->border[reuse->borders++] = reuse->border[b];
    assert(reuse->borders <= borders && (reuse->borders > 0 || reuse->births == 0));
    TRY(take(reuse, &reuse->holder, reuse->borders, sizeof(uint32_t)));
    for (uint32_t c = 0; c < reuse->borders; c++)
        reuse->holder[c] = GRAPH_NONE;
    return STATUS_OK;
}

static uint32_t find_cell(const struct reuse *reuse, uint64_t offset)
{
    uint32_t cell = BINARY_SEARCH(at, 0, reuse->borders, reuse->border[at] >= offset);
    assert(cell < reuse->borders && reuse->border[cell] == offset);
    return cell;
}

static bool ends_before(const struct reuse *reuse, uint32_t earlier, uint32_t op)
{
    const struct happens_before *order = reuse->order;
    assert(earlier < reuse->graph->operators && op < reuse->graph->operators);
    return happens_before_is(order, order->leave_step[earlier], order->enter_step[op]);
}

/* Whether `earlier` has surely ended when op starts: by the order of the graph, or by the waits
   that were added to op. */
static bool is_waited_for(const struct reuse *reuse, uint32_t earlier, uint32_t op)
{
    bool waited = ends_before(reuse, earlier, op);
    for (uint32_t w = reuse->newest[op]; w > 0 && !waited; w = reuse->older[w - 1])
        waited = reuse->wait[w - 1].earlier == earlier ||
                 ends_before(reuse, earlier, reuse->wait[w - 1].earlier);
    return waited;
}

/* The writer waits for all that use the tensor `held`, which had its bytes before, the latest
   first. No wait is needed for a use in another region of an operator that holds both: it comes
   before the writer, or no run has both. */
static enum status wait_for_uses(struct reuse *reuse, uint32_t held, uint32_t writer)
{
    for (uint64_t u = reuse->uses.first[held + 1]; u-- > reuse->uses.first[held];) {
        struct siblings siblings = predecessors_lift(reuse->graph, reuse->uses.item[u], writer);
        uint32_t earlier = siblings.a, op = siblings.b;
        assert(reuse->graph->op[earlier].region == reuse->graph->op[op].region);
        if (earlier >= op || is_waited_for(reuse, earlier, op))
            continue;
        size_t waits = (size_t)reuse->waits + 1;
        assert(op < reuse->graph->operators && reuse->newest[op] <= reuse->waits);
        TRY(memory_reserve(&reuse->wait, &reuse->wait_capacity, waits, sizeof *reuse->wait,
                           reuse->error));
        TRY(memory_reserve(&reuse->older, &reuse->older_capacity, waits, sizeof *reuse->older,
                           reuse->error));
        reuse->older[reuse->waits] = reuse->newest[op];
        reuse->wait[reuse->waits++] = (struct graph_wait){op, earlier};
        reuse->newest[op] = reuse->waits;
    }
    return STATUS_OK;
}

/* The cells of the tensor pass to it, and its writer waits for the uses of what held them; once for
   cells one after another that held the same. */
static enum status write_tensor(struct reuse *reuse, uint32_t tensor)
{
    struct extents_walk walk = placement_begin(reuse->placement, tensor, reuse->bytes[tensor]);
    struct extent extent;
    uint32_t before = GRAPH_NONE, writer = reuse->graph->tensor[tensor].producer;
    while (extents_next(&walk, &extent)) {
        uint32_t end = find_cell(reuse, extent.offset + extent.bytes);
        assert(extent.bytes > 0);
        for (uint32_t cell = find_cell(reuse, extent.offset); cell < end; cell++) {
            uint32_t held = reuse->holder[cell];
            assert(held == GRAPH_NONE || reuse->place[held] == held);
            reuse->holder[cell] = tensor;
            if (held != GRAPH_NONE && held != tensor && held != before && writer != GRAPH_NONE)
                TRY(wait_for_uses(reuse, held, writer));
            before = held;
        }
    }
    return STATUS_OK;
}

static void end_reuse(struct reuse *reuse)
{
    scratch_free(&reuse->scratch);
    groups_free(&reuse->uses);
    happens_before_free(reuse->order);
    memory_free_all(reuse->bytes, reuse->border, reuse->wait, reuse->older);
}

enum status reuse_waits_add(const struct graph *graph, const struct placement *placement,
                            struct graph **waiting, struct error *error)
{
    SCOPED(end_reuse) struct reuse reuse = {.graph = graph, .placement = placement, .error = error};
    TRY(happens_before_create(graph, NULL, &reuse.order, error));
    TRY(value_bytes_create(graph, &reuse.bytes, error));
    TRY(take(&reuse, &reuse.newest, graph->operators, sizeof(uint32_t)));
    TRY(find_uses(&reuse));
    TRY(find_births(&reuse));
    TRY(find_cells(&reuse));
    for (uint32_t i = 0; i < reuse.births; i++)
        TRY(write_tensor(&reuse, reuse.birth[i].tensor));
    return graph_add_waits(graph, reuse.wait, reuse.waits, waiting, error);
}
