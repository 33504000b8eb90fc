#include "planning/verify/streams.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "planning/graph/ways.h"
#include "planning/verify/rank_set.h"
#include "planning/verify/stream_order.h"

/* A tenant is what holds bytes for some time: a tensor, or behind all tensors, by its position in
   graph->carried, the argument of a loop once more, from the step that leaves the loop on. That
   step writes it anew when a turn ends, so what a turn makes may be there in between. */

/* The begin or the end of a piece of the arena that holds bytes of a tenant. */
struct border {
    uint64_t offset;
    uint32_t tenant;
    bool begins;
};

struct checker {
    const struct graph *graph;
    const struct placement *placement;
    struct verdict *verdict;
    struct stream_run run;
    uint32_t tenants;
    uint32_t *place;   /* [tensors] the tenant in whose place it is, GRAPH_NONE without any */
    uint32_t *present; /* [tenants] how many of its pieces hold the current bytes of the sweep */
    uint64_t *bytes;   /* [tensors] of each value on the current run */
    bool has_branches; /* on which the bytes of results may depend */
    /* What follows is of the current run. */
    struct border *border; /* [borders] in rising order */
    size_t borders, border_capacity;
    uint32_t *born; /* [tenants] one past the step that writes it first, 0 for what is there from
                       the start, GRAPH_NONE for what the run does not have */
    uint32_t *last_use;    /* [tenants * streams] one past the last step of the stream that uses it,
                              GRAPH_NONE for what is kept to the end */
    uint32_t *rank;        /* [tenants] its number in the order in which they are born */
    uint32_t *of_rank;     /* [tenants] */
    struct rank_set ranks; /* the ranks of the tenants at the current bytes of the sweep */
    struct stream_question *question;
    size_t questions, question_capacity;
    struct error *error;
};

static uint32_t *get_last_use(const struct checker *checker, uint32_t tenant)
{
    return checker->last_use + (size_t)tenant * checker->graph->streams.count;
}

static uint32_t get_tensor(const struct checker *checker, uint32_t tenant)
{
    const struct graph *graph = checker->graph;
    return tenant < graph->tensors ? tenant : graph->carried[tenant - graph->tensors].argument;
}

static void occupy_at(struct checker *checker, uint32_t tenant, uint32_t step)
{
    if (tenant == GRAPH_NONE || step == GRAPH_NONE)
        return;
    uint32_t *last = &get_last_use(checker, tenant)[checker->run.stream[step]];
    if (*last <= step)
        *last = step + 1;
}

static void use_at(struct checker *checker, uint32_t tensor, uint32_t step)
{
    occupy_at(checker, checker->place[tensor], step);
}

/* A use at a step, or at GRAPH_NONE where the run does not make it. What comes from outside a loop
   is used until the loop is left, since another turn may use it again. */
static void use_tensor(struct checker *checker, uint32_t tensor, uint32_t step, uint32_t region)
{
    const struct graph *graph = checker->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    use_at(checker, tensor, step);
    for (; region != 0; region = graph->op[graph->region[region].owner].region) {
        uint32_t owner = graph->region[region].owner;
        bool is_made_inside =
            producer != GRAPH_NONE && producer >= owner && producer < graph->op[owner].end;
        if (graph->op[owner].loop && !is_made_inside && checker->run.choice[owner] != GRAPH_NONE)
            use_at(checker, tensor, checker->run.leave[owner]);
    }
}

static void use_tensors(struct checker *checker, struct span tensors, uint32_t step,
                        uint32_t region)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        use_tensor(checker, checker->graph->list[tensors.first + i], step, region);
}

static void make_at(struct checker *checker, uint32_t tenant, uint32_t step)
{
    uint32_t tensor = get_tensor(checker, tenant);
    if (checker->place[tensor] != tensor)
        return;
    checker->born[tenant] = step + 1;
    occupy_at(checker, tenant, step);
}

static void make_outputs(struct checker *checker, uint32_t o)
{
    const struct graph *graph = checker->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t enter = checker->run.enter[o], leave = checker->run.leave[o];
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        make_at(checker, graph->list[op->outputs.first + i], op->loop ? enter : leave);
        use_at(checker, graph->list[op->outputs.first + i], leave);
    }
    for (uint32_t i = 0; i < op->carried.count; i++) {
        make_at(checker, graph->carried[op->carried.first + i].argument, enter);
        make_at(checker, graph->tensors + op->carried.first + i, leave);
    }
}

static void use_inputs(struct checker *checker, uint32_t o)
{
    const struct graph *graph = checker->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t enter = checker->run.enter[o], leave = checker->run.leave[o];
    uint32_t choice = checker->run.choice[o];
    use_tensors(checker, op->inputs, enter, op->region);
    for (uint32_t i = 0; i < op->carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[op->carried.first + i];
        use_tensor(checker, carried->init, enter, op->region);
        use_tensor(checker, carried->yield, choice == GRAPH_NONE ? GRAPH_NONE : leave,
                   op->first_region);
    }
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        bool runs = choice == r || (op->loop && choice != GRAPH_NONE);
        use_tensors(checker, graph->region[r].yields, runs ? leave : GRAPH_NONE, r);
    }
}

static void find_uses(struct checker *checker)
{
    const struct graph *graph = checker->graph;
    size_t uses = (size_t)checker->tenants * graph->streams.count;
    struct span inputs = graph->inputs, outputs = graph->region[0].yields;
    for (uint32_t t = 0; t < checker->tenants; t++)
        checker->born[t] = GRAPH_NONE;
    for (size_t i = 0; i < uses; i++)
        checker->last_use[i] = 0;
    for (uint32_t i = 0; i < inputs.count; i++)
        checker->born[graph->list[inputs.first + i]] = 0;
    for (uint32_t o = 0; o < graph->operators; o++)
        if (checker->run.enter[o] != GRAPH_NONE)
            make_outputs(checker, o);
    for (uint32_t o = 0; o < graph->operators; o++)
        use_inputs(checker, o);
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t place = checker->place[graph->list[outputs.first + i]];
        for (uint32_t s = 0; s < graph->streams.count && place != GRAPH_NONE; s++)
            get_last_use(checker, place)[s] = GRAPH_NONE;
    }
}

/* Ranks the tenants by birth, by counting how many are born at each step. */
static enum status rank_births(struct checker *checker)
{
    uint32_t *first, steps = checker->run.steps;
    TRY(memory_create(&first, (size_t)steps + 2, sizeof *first, checker->error));
    for (uint32_t t = 0; t < checker->tenants; t++)
        if (checker->born[t] != GRAPH_NONE)
            first[checker->born[t] + 1]++;
    for (uint32_t s = 0; s <= steps; s++)
        first[s + 1] += first[s];
    for (uint32_t t = 0; t < checker->tenants; t++)
        if (checker->born[t] != GRAPH_NONE) {
            checker->rank[t] = first[checker->born[t]]++;
            checker->of_rank[checker->rank[t]] = t;
        }
    memory_free(first);
    return STATUS_OK;
}

static void report_overlap(struct checker *checker, uint32_t a, uint32_t b)
{
    uint32_t born = checker->born[b];
    a = get_tensor(checker, a);
    b = get_tensor(checker, b);
    if (!checker->verdict->fault)
        *checker->verdict = (struct verdict){.fault = VERIFY_OVERLAP,
                                             .first = a < b ? a : b,
                                             .second = a < b ? b : a,
                                             .step = born ? born - 1 : 0};
}

/* Whether all uses of a have ended when b, which is written no earlier on the list, is written. */
static enum status ask_order(struct checker *checker, uint32_t a, uint32_t b)
{
    if (get_tensor(checker, a) == get_tensor(checker, b))
        return STATUS_OK;
    for (uint32_t s = 0; s < checker->graph->streams.count; s++) {
        uint32_t last = get_last_use(checker, a)[s], born = checker->born[b];
        if (!last)
            continue;
        if (last >= born) {
            report_overlap(checker, a, b);
            return STATUS_OK;
        }
        TRY(memory_reserve(&checker->question, &checker->question_capacity, checker->questions + 1,
                           sizeof *checker->question, checker->error));
        checker->question[checker->questions++] =
            (struct stream_question){.earlier = last - 1, .later = born - 1, .a = a, .b = b};
    }
    if (!checker->born[b])
        report_overlap(checker, a, b);
    return STATUS_OK;
}

static enum status ask_ranks(struct checker *checker, uint32_t a, uint32_t b)
{
    return ask_order(checker, checker->of_rank[a], checker->of_rank[b]);
}

static enum status add_tenant(struct checker *checker, uint32_t tenant)
{
    uint32_t rank = checker->rank[tenant], other;
    if (checker->present[tenant]++)
        return STATUS_OK;
    if (rank_set_below(&checker->ranks, rank, &other))
        TRY(ask_ranks(checker, other, rank));
    if (rank_set_above(&checker->ranks, rank, &other))
        TRY(ask_ranks(checker, rank, other));
    rank_set_insert(&checker->ranks, rank);
    return STATUS_OK;
}

/* Takes a tenant out of the sweep. Its neighbours in the order of birth become neighbours of each
   other. */
static enum status remove_tenant(struct checker *checker, uint32_t tenant)
{
    uint32_t rank = checker->rank[tenant], below, above;
    assert(checker->present[tenant] > 0);
    if (--checker->present[tenant])
        return STATUS_OK;
    rank_set_remove(&checker->ranks, rank);
    if (rank_set_below(&checker->ranks, rank, &below) &&
        rank_set_above(&checker->ranks, rank, &above))
        TRY(ask_ranks(checker, below, above));
    return STATUS_OK;
}

static enum status sweep_arena(struct checker *checker)
{
    checker->questions = 0;
    for (size_t i = 0; i < checker->borders; i++) {
        const struct border *border = &checker->border[i];
        if (checker->born[border->tenant] == GRAPH_NONE)
            continue;
        TRY(border->begins ? add_tenant(checker, border->tenant)
                           : remove_tenant(checker, border->tenant));
    }
    return STATUS_OK;
}

static enum status add_border(struct checker *checker, struct border border)
{
    TRY(memory_reserve(&checker->border, &checker->border_capacity, checker->borders + 1,
                       sizeof *checker->border, checker->error));
    checker->border[checker->borders++] = border;
    return STATUS_OK;
}

static enum status add_pieces(struct checker *checker, uint32_t tenant)
{
    uint32_t tensor = get_tensor(checker, tenant);
    struct extents_walk walk = placement_begin(checker->placement, tensor, checker->bytes[tensor]);
    struct extent extent;
    while (extents_next(&walk, &extent)) {
        TRY(add_border(checker, (struct border){extent.offset, tenant, true}));
        TRY(add_border(checker, (struct border){extent.offset + extent.bytes, tenant, false}));
    }
    return STATUS_OK;
}

/* At an offset ends come before beginnings, so that tenants side by side never meet. */
static int compare_borders(const void *left, const void *right)
{
    const struct border *a = left, *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->begins != b->begins)
        return a->begins ? 1 : -1;
    return a->tenant < b->tenant ? -1 : a->tenant > b->tenant;
}

static enum status find_borders(struct checker *checker)
{
    checker->borders = 0;
    for (uint32_t t = 0; t < checker->tenants; t++)
        if (checker->place[get_tensor(checker, t)] == get_tensor(checker, t))
            TRY(add_pieces(checker, t));
    if (checker->borders)
        qsort(checker->border, checker->borders, sizeof *checker->border, compare_borders);
    return STATUS_OK;
}

static enum status check_run(void *context, const uint32_t *choice)
{
    struct checker *checker = context;
    TRY(stream_run_follow(&checker->run, choice, checker->error));
    find_uses(checker);
    if (checker->has_branches || !checker->borders) {
        value_bytes_find(checker->graph, choice, checker->bytes);
        TRY(find_borders(checker));
    }
    TRY(rank_births(checker));
    TRY(sweep_arena(checker));
    TRY(stream_run_answer(&checker->run, checker->question, checker->questions, checker->error));
    for (size_t q = 0; q < checker->questions; q++)
        if (!checker->question[q].before)
            report_overlap(checker, checker->question[q].a, checker->question[q].b);
    return checker->verdict->fault ? STATUS_NO : STATUS_OK;
}

/* The result of a loop is where its argument is; nothing else is read where another tensor lies. A
   branch makes bytes depend on the run. */
static void find_places(struct checker *checker)
{
    const struct graph *graph = checker->graph;
    for (uint32_t t = 0; t < graph->tensors; t++)
        checker->place[t] = checker->placement->offset[t] == PROBLEM_FREE ? GRAPH_NONE : t;
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (!graph->tensor[graph->carried[c].result].external &&
            checker->place[graph->carried[c].argument] != GRAPH_NONE)
            checker->place[graph->carried[c].result] = graph->tensors + c;
    for (uint32_t o = 0; o < graph->operators; o++)
        checker->has_branches |= graph->op[o].first_region != GRAPH_NONE && !graph->op[o].loop;
    for (uint32_t t = 0; t < graph->tensors && !checker->verdict->fault; t++)
        if (checker->place[t] == GRAPH_NONE && !graph->tensor[t].external)
            *checker->verdict = (struct verdict){.fault = VERIFY_NO_OFFSET, .first = t};
}

static enum status create_checker(struct checker *checker)
{
    const struct graph *graph = checker->graph;
    uint32_t **per_tenant[] = {&checker->present, &checker->born, &checker->rank,
                               &checker->of_rank};
    checker->tenants = graph->tensors + graph->carried_count;
    TRY(stream_run_create(graph, &checker->run, checker->error));
    TRY(memory_create(&checker->place, graph->tensors, sizeof(uint32_t), checker->error));
    TRY(memory_create(&checker->bytes, graph->tensors, sizeof(uint64_t), checker->error));
    for (int i = 0; i < 4; i++)
        TRY(memory_create(per_tenant[i], checker->tenants, sizeof(uint32_t), checker->error));
    TRY(memory_create(&checker->last_use, checker->tenants, graph->streams.count * sizeof(uint32_t),
                      checker->error));
    return rank_set_create(checker->tenants, &checker->ranks, checker->error);
}

static void free_checker(struct checker *checker)
{
    stream_run_free(&checker->run);
    rank_set_free(&checker->ranks);
    memory_free(checker->place);
    memory_free(checker->bytes);
    memory_free(checker->border);
    memory_free(checker->present);
    memory_free(checker->born);
    memory_free(checker->last_use);
    memory_free(checker->rank);
    memory_free(checker->of_rank);
    memory_free(checker->question);
}

/* Checks all runs, or where that would take too long samples of them. */
static enum status check_runs(struct checker *checker)
{
    enum { MOST_RUNS = 4096, MOST_STEPS = 4000000, LEAST_RUNS = 16 };
    const struct graph_way_visitor visitor = {check_run, checker};
    uint32_t runs = MOST_STEPS / (checker->graph->operators + 1);
    runs = runs > MOST_RUNS ? MOST_RUNS : runs < LEAST_RUNS ? LEAST_RUNS : runs;
    enum status status = graph_visit_ways(checker->graph, runs, &visitor, checker->error);
    return status == STATUS_NO ? STATUS_OK : status;
}

enum status verify_streams(const struct graph *graph, const struct placement *placement,
                           struct verdict *verdict, struct error *error)
{
    struct checker checker = {
        .graph = graph, .placement = placement, .verdict = verdict, .error = error};
    enum status status;
    TRY_OR_DONE(status, create_checker(&checker));
    find_places(&checker);
    if (!verdict->fault)
        status = check_runs(&checker);
done:
    free_checker(&checker);
    return status;
}
