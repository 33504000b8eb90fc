#include "planning/verify/memories/graph.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "planning/memories/address.h"
#include "planning/verify/describe.h"
#include "planning/verify/paths/paths.h"

/* What is wrong with the place of a tensor by itself; NULL where nothing is. */
static const char *find_fault(const struct memory_rules *rules, uint64_t address, uint64_t bytes,
                              uint64_t alignment)
{
    const struct memory_problem *memories = rules->memories;
    uint32_t m = memory_of_address(address);
    uint64_t offset = memory_offset_of_address(address);
    assert(alignment > 0);
    if (m >= memories->memories)
        return "is in no memory";
    const struct memory *memory = &memories->memory[m];
    if (bytes > memory->capacity_bytes || offset > memory->capacity_bytes - bytes)
        return "ends beyond the capacity";
    if (offset % memory->alignment || offset % alignment)
        return "is not aligned";
    if (bytes && memory->chunk_bytes &&
        offset / memory->chunk_bytes != (offset + bytes - 1) / memory->chunk_bytes)
        return "is in two chunks";
    for (uint32_t r = 0; r < memories->reserved_ranges; r++)
        if (memories->reserved[r].memory == m && offset < memories->reserved[r].upper &&
            memories->reserved[r].lower < offset + bytes)
            return "has bytes that are reserved";
    return NULL;
}

static enum status check_places(const struct graph *graph, const struct memory_rules *rules,
                                const struct placement *placement, struct memory_verdict *verdict,
                                struct error *error)
{
    SCOPED(memory_release) uint64_t *bytes = NULL;
    TRY(value_bytes_create(graph, &bytes, error));
    for (uint32_t t = 0; t < graph->tensors && verdict->valid; t++) {
        uint64_t address = placement->offset[t];
        uint64_t alignment =
            rules->alignment_bytes ? rules->alignment_bytes : graph_alignment(graph, t);
        if (address == PROBLEM_FREE)
            continue;
        const char *fault = find_fault(rules, address, bytes[t], alignment);
        if (!fault)
            continue;
        uint32_t m = memory_of_address(address);
        verdict->valid = false;
        snprintf(verdict->text, sizeof verdict->text,
                 "tensor '%s', %" PRIu64 " bytes at %" PRIu64 " of memory '%s', %s",
                 names_get(&graph->tensor_names, t), bytes[t], memory_offset_of_address(address),
                 m < rules->memories->memories ? names_get(&rules->memories->names, m) : "", fault);
    }
    return STATUS_OK;
}

/* A walk over the graph from its end, so that all that reads a tensor is met before what
   made it. */
struct walk {
    const struct graph *graph;
    const struct placement *placement;
    const struct memory_problem *memories;
    double *reads, *writes; /* [tensors] */
};

static void clear_walk(struct walk *walk)
{
    memory_free_all(walk->reads, walk->writes);
}

static double find_chance(const struct graph *graph, uint32_t region)
{
    const struct graph_operator *owner = &graph->op[graph->region[region].owner];
    double given = 0, without = 0;
    if (graph->region[region].probability >= 0)
        return graph->region[region].probability;
    for (uint32_t r = owner->first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        given += fmax(graph->region[r].probability, 0);
        without += graph->region[r].probability < 0;
    }
    assert(without > 0);
    return fmax(1 - given, 0) / without;
}

static void walk_region(struct walk *walk, uint32_t region, double runs);

/* What is read of a result that has no place is read of what the regions left for it. */
static void walk_regions(struct walk *walk, uint32_t o, double runs)
{
    const struct graph *graph = walk->graph;
    const struct graph_operator *op = &graph->op[o];
    double turns = op->trip_count < 0 ? 1 : (double)op->trip_count;
    for (uint32_t i = 0; i < op->carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[op->carried.first + i];
        if (walk->placement->offset[carried->result] == PROBLEM_FREE)
            walk->reads[carried->argument] += walk->reads[carried->result];
    }
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        double chance = op->loop ? turns : find_chance(graph, r);
        for (uint32_t i = 0; i < op->outputs.count && !op->loop; i++) {
            uint32_t result = graph->list[op->outputs.first + i];
            if (walk->placement->offset[result] == PROBLEM_FREE && !graph->tensor[result].external)
                walk->reads[graph_yield(graph, r, i)] += chance * walk->reads[result];
        }
        walk_region(walk, r, runs * chance);
    }
}

/* A view that lies on what it is a view of is neither written, nor is that read for it. */
static void walk_operator(struct walk *walk, uint32_t o, double runs)
{
    const struct graph *graph = walk->graph;
    const struct graph_operator *op = &graph->op[o];
    for (uint32_t i = 0; i < op->outputs.count && op->first_region == GRAPH_NONE; i++) {
        uint32_t output = graph->list[op->outputs.first + i];
        assert(walk->writes[output] == 0); /* no operator is met twice */
        walk->writes[output] += walk->placement->is_view[output] ? 0 : runs;
    }
    for (uint32_t i = 0; i < op->inputs.count; i++) {
        uint32_t input = graph->list[op->inputs.first + i];
        bool counts = true;
        for (uint32_t k = 0; k < i; k++)
            counts = counts && graph->list[op->inputs.first + k] != input;
        for (uint32_t k = 0; k < op->outputs.count; k++) {
            uint32_t output = graph->list[op->outputs.first + k];
            counts = counts && !(walk->placement->is_view[output] &&
                                 walk->placement->overwrites[output] == input);
        }
        walk->reads[input] += counts ? runs : 0;
    }
}

static void walk_region(struct walk *walk, uint32_t region, double runs)
{
    const struct graph *graph = walk->graph;
    assert(graph->region[region].begin <= graph->region[region].end);
    for (uint32_t o = graph->region[region].end; o-- > graph->region[region].begin;) {
        if (graph->op[o].region != region)
            continue;
        if (graph->op[o].first_region != GRAPH_NONE)
            walk_regions(walk, o, runs);
        walk_operator(walk, o, runs);
    }
}

/* Adds what a number of reads or writes of a tensor costs; false where that is 2^64 or more. Bytes
   are rounded, halves up even where sums of probabilities are a little short of one. */
static bool add_cost(double times, uint64_t bytes, uint64_t cost_per_byte, uint64_t *cost)
{
    double moved = times * (double)bytes;
    assert(times >= 0);
    uint64_t more;
    moved = floor(moved + 0.5 + fmin(moved * 1e-12, 1e-3));
    return moved < 0x1p63 && checked_multiply((uint64_t)moved, cost_per_byte, &more) &&
           checked_add(*cost, more, cost);
}

static enum status sum_cost(struct walk *walk, struct memory_verdict *verdict, struct error *error)
{
    const struct graph *graph = walk->graph;
    SCOPED(memory_release) uint64_t *bytes = NULL;
    bool fits = true;
    TRY(value_bytes_create(graph, &bytes, error));
    TRY(memory_create_all(graph->tensors, error, &walk->reads, &walk->writes));
    for (uint32_t i = 0; i < graph->region[0].yields.count; i++)
        walk->reads[graph->list[graph->region[0].yields.first + i]] += 1;
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        walk->writes[graph->list[graph->inputs.first + i]] += 1;
    walk_region(walk, 0, 1);
    verdict->cost = 0;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint64_t address = walk->placement->offset[t];
        if (address == PROBLEM_FREE)
            continue;
        assert(memory_of_address(address) < walk->memories->memories);
        const struct memory *memory = &walk->memories->memory[memory_of_address(address)];
        fits = fits && add_cost(walk->reads[t], bytes[t], memory->read_cost, &verdict->cost) &&
               add_cost(walk->writes[t], bytes[t], memory->write_cost, &verdict->cost);
    }
    return fits ? STATUS_OK
                : error_set(error, STATUS_BAD_INPUT,
                            "found traffic of '%s' that costs 2^64 thousandths or more, expected "
                            "less",
                            graph_name(graph));
}

enum status verify_graph_memories(const struct graph *graph, const struct memory_rules *rules,
                                  const struct placement *placement, bool *sampled,
                                  struct memory_verdict *verdict, struct error *error)
{
    struct verdict paths;
    *verdict = (struct memory_verdict){.valid = true, .text = "valid"};
    *sampled = false;
    if (placement->tensors != graph->tensors || placement->extents)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a placement of other tensors, or of tensors in pieces, expected "
                         "one place for each tensor");
    TRY(check_places(graph, rules, placement, verdict, error));
    if (!verdict->valid)
        return STATUS_OK;
    /* On the line of addresses the peak is the end of what lies in the last memory. */
    struct placement line = *placement;
    TRY(placement_find_peak(graph, placement, &line.measures.peak_bytes, error));
    TRY(verify_paths(graph, &line, &paths, error));
    *sampled = paths.fault == VERIFY_SAMPLED;
    verdict->valid = paths.fault == VERIFY_VALID || *sampled;
    assert(paths.fault != VERIFY_OVERLAP || (placement->offset[paths.first] != PROBLEM_FREE &&
                                             placement->offset[paths.second] != PROBLEM_FREE));
    if (paths.fault == VERIFY_OVERLAP)
        snprintf(
            verdict->text, sizeof verdict->text,
            "tensors '%s' and '%s' share bytes of memory '%s' and are both needed at step "
            "%" PRIu32,
            names_get(&graph->tensor_names, paths.first),
            names_get(&graph->tensor_names, paths.second),
            names_get(&rules->memories->names, memory_of_address(placement->offset[paths.first])),
            paths.step);
    else
        verify_paths_describe(graph, placement, &paths, verdict->text, sizeof verdict->text);
    SCOPED(clear_walk) struct walk walk = {graph, placement, rules->memories, .reads = NULL};
    return verdict->valid ? sum_cost(&walk, verdict, error) : STATUS_OK;
}
