#include "planning/verify/streams/uses.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"

/* The result of a loop is in the place of its argument; every other tensor is read in its own
   place. */
enum status stream_uses_create(const struct graph *graph, const struct placement *placement,
                               struct stream_uses *uses, struct error *error)
{
    uint32_t tenants = graph->tensors + graph->carried_count;
    *uses = (struct stream_uses){.graph = graph, .tenants = tenants};
    TRY(scratch_take(&uses->scratch, &uses->place, graph->tensors, sizeof(uint32_t), error));
    TRY(scratch_take(&uses->scratch, &uses->born, tenants, sizeof(uint32_t), error));
    TRY(scratch_take(&uses->scratch, &uses->last_use, tenants,
                     graph->streams.count * sizeof(uint32_t), error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        uses->place[t] = placement->offset[t] == PROBLEM_FREE ? GRAPH_NONE : t;
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (!graph->tensor[graph->carried[c].result].external &&
            uses->place[graph->carried[c].argument] != GRAPH_NONE)
            uses->place[graph->carried[c].result] = graph->tensors + c;
    return STATUS_OK;
}

void stream_uses_free(struct stream_uses *uses)
{
    scratch_free(&uses->scratch);
    memory_free(uses->use);
}

uint32_t *stream_uses_last(const struct stream_uses *uses, uint32_t tenant)
{
    assert(tenant < uses->tenants);
    return uses->last_use + (size_t)tenant * uses->graph->streams.count;
}

uint32_t stream_uses_tensor(const struct stream_uses *uses, uint32_t tenant)
{
    const struct graph *graph = uses->graph;
    assert(tenant < uses->tenants);
    return tenant < graph->tensors ? tenant : graph->carried[tenant - graph->tensors].argument;
}

static void list_use(struct stream_uses *uses, struct stream_use use)
{
    if (uses->run->choice || uses->listing)
        return;
    uses->listing = memory_reserve(&uses->use, &uses->use_capacity, uses->uses + 1,
                                   sizeof *uses->use, uses->error);
    if (!uses->listing)
        uses->use[uses->uses++] = use;
}

/* Notes a use at a step where the region is taken; nothing at GRAPH_NONE, where the run does not
   have the step. */
static void occupy_at(struct stream_uses *uses, uint32_t tenant, uint32_t step, uint32_t region)
{
    if (tenant == GRAPH_NONE || step == GRAPH_NONE)
        return;
    assert(tenant < uses->tenants && step < uses->run->steps);
    uint32_t *last = &stream_uses_last(uses, tenant)[uses->run->stream[step]];
    if (*last <= step)
        *last = step + 1;
    list_use(uses, (struct stream_use){tenant, step, region});
}

static void use_at(struct stream_uses *uses, uint32_t tensor, uint32_t step, uint32_t region)
{
    occupy_at(uses, uses->place[tensor], step, region);
}

/* What comes from outside a loop is used until the loop is left, since another turn may use it
   again. */
static void use_tensor(struct stream_uses *uses, uint32_t tensor, uint32_t step, uint32_t region)
{
    const struct graph *graph = uses->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    assert(tensor < graph->tensors && region < graph->regions);
    use_at(uses, tensor, step, region);
    for (; region != 0; region = graph->op[graph->region[region].owner].region) {
        uint32_t owner = graph->region[region].owner, body = graph->op[owner].first_region;
        assert(owner < graph->operators && body != GRAPH_NONE);
        bool is_made_inside =
            producer != GRAPH_NONE && producer >= owner && producer < graph->op[owner].end;
        if (graph->op[owner].loop && !is_made_inside && stream_run_takes(uses->run, body))
            use_at(uses, tensor, uses->run->leave[owner], body);
    }
}

static void use_tensors(struct stream_uses *uses, struct span tensors, uint32_t step,
                        uint32_t region)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        use_tensor(uses, uses->graph->list[tensors.first + i], step, region);
}

static void make_at(struct stream_uses *uses, uint32_t tenant, uint32_t step)
{
    uint32_t tensor = stream_uses_tensor(uses, tenant);
    assert(step < uses->run->steps);
    if (uses->place[tensor] != tensor)
        return;
    assert(uses->born[tenant] == GRAPH_NONE);
    uses->born[tenant] = step + 1;
    occupy_at(uses, tenant, step, 0);
}

static void make_outputs(struct stream_uses *uses, uint32_t o)
{
    const struct graph *graph = uses->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t enter = uses->run->enter[o], leave = uses->run->leave[o];
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        make_at(uses, graph->list[op->outputs.first + i], op->loop ? enter : leave);
        use_at(uses, graph->list[op->outputs.first + i], leave, 0);
    }
    for (uint32_t i = 0; i < op->carried.count; i++) {
        make_at(uses, graph->carried[op->carried.first + i].argument, enter);
        make_at(uses, graph->tensors + op->carried.first + i, leave);
    }
}

static void use_inputs(struct stream_uses *uses, uint32_t o)
{
    const struct graph *graph = uses->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t enter = uses->run->enter[o], leave = uses->run->leave[o];
    use_tensors(uses, op->inputs, enter, op->region);
    for (uint32_t i = 0; i < op->carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[op->carried.first + i];
        use_tensor(uses, carried->init, enter, op->region);
        use_tensor(uses, carried->yield,
                   stream_run_takes(uses->run, op->first_region) ? leave : GRAPH_NONE,
                   op->first_region);
    }
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        use_tensors(uses, graph->region[r].yields,
                    stream_run_takes(uses->run, r) ? leave : GRAPH_NONE, r);
}

COMPARE_MEMBERS(compare_uses, struct stream_use, tenant, step, region)

enum status stream_uses_find(struct stream_uses *uses, const struct stream_run *run,
                             struct error *error)
{
    const struct graph *graph = uses->graph;
    struct span inputs = graph->inputs, outputs = graph->region[0].yields;
    size_t last = (size_t)uses->tenants * graph->streams.count;
    uses->run = run;
    uses->error = error;
    for (uint32_t t = 0; t < uses->tenants; t++)
        uses->born[t] = GRAPH_NONE;
    for (size_t i = 0; i < last; i++)
        uses->last_use[i] = 0;
    for (uint32_t i = 0; i < inputs.count; i++)
        uses->born[graph->list[inputs.first + i]] = 0;
    for (uint32_t o = 0; o < graph->operators; o++)
        if (run->enter[o] != GRAPH_NONE)
            make_outputs(uses, o);
    for (uint32_t o = 0; o < graph->operators; o++)
        use_inputs(uses, o);
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t place = uses->place[graph->list[outputs.first + i]];
        if (place == GRAPH_NONE)
            continue;
        for (uint32_t s = 0; s < graph->streams.count; s++)
            stream_uses_last(uses, place)[s] = GRAPH_NONE;
        list_use(uses, (struct stream_use){place, GRAPH_NONE, 0});
    }
    TRY(uses->listing);
    if (run->choice)
        return STATUS_OK;

    /* The uses are sorted by tenant, each once. */
    size_t kept = 0;
    if (uses->uses)
        qsort(uses->use, uses->uses, sizeof *uses->use, compare_uses);
    for (size_t u = 0; u < uses->uses; u++)
        if (!kept || compare_uses(&uses->use[kept - 1], &uses->use[u]))
            uses->use[kept++] = uses->use[u];
    uses->uses = kept;
    TRY(scratch_take(&uses->scratch, &uses->first, (size_t)uses->tenants + 1, sizeof *uses->first,
                     error));
    for (size_t u = kept; u-- > 0;)
        uses->first[uses->use[u].tenant + 1]++;
    for (uint32_t t = 0; t < uses->tenants; t++)
        uses->first[t + 1] += uses->first[t];
    assert(uses->first[uses->tenants] == kept);
    return STATUS_OK;
}
