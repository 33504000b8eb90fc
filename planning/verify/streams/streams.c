#include "planning/verify/streams/streams.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "planning/graph/ways.h"
#include "planning/verify/rank_set.h"
#include "planning/verify/streams/pairs.h"
#include "planning/verify/streams/uses.h"

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
    struct stream_uses uses;
    uint32_t *present; /* [tenants] how many of its pieces hold the current bytes of the sweep */
    uint64_t *bytes;   /* [tensors] of each value on the current run */
    bool varies;       /* the bytes of some result depend on the run */
    /* What follows is of the current run. */
    struct border *border; /* [borders] in rising order */
    size_t borders, border_capacity;
    uint32_t *rank;        /* [tenants] its number in the order in which they are born */
    uint32_t *of_rank;     /* [tenants] */
    struct rank_set ranks; /* the ranks of the tenants at the current bytes of the sweep */
    struct stream_question *question;
    size_t questions, question_capacity;
    struct error *error;
};

/* Ranks the tenants by birth, by counting how many are born at each step. */
static enum status rank_births(struct checker *checker)
{
    uint32_t *first, steps = checker->run.steps;
    TRY(memory_create(&first, (size_t)steps + 2, sizeof *first, checker->error));
    for (uint32_t t = 0; t < checker->uses.tenants; t++)
        if (checker->uses.born[t] != GRAPH_NONE)
            first[checker->uses.born[t] + 1]++;
    for (uint32_t s = 0; s <= steps; s++)
        first[s + 1] += first[s];
    for (uint32_t t = 0; t < checker->uses.tenants; t++)
        if (checker->uses.born[t] != GRAPH_NONE) {
            checker->rank[t] = first[checker->uses.born[t]]++;
            checker->of_rank[checker->rank[t]] = t;
            assert(checker->rank[t] < checker->uses.tenants);
        }
    memory_free(first);
    return STATUS_OK;
}

static void report_overlap(struct checker *checker, uint32_t a, uint32_t b)
{
    uint32_t born = checker->uses.born[b];
    assert(a != b && born != GRAPH_NONE);
    if (!checker->verdict->fault)
        *checker->verdict =
            verify_overlap(stream_uses_tensor(&checker->uses, a),
                           stream_uses_tensor(&checker->uses, b), born ? born - 1 : 0);
}

/* Whether all uses of tenant a, of a lower rank than b, have ended when b is written. */
static enum status ask_order(struct checker *checker, uint32_t rank_a, uint32_t rank_b)
{
    const struct stream_uses *uses = &checker->uses;
    uint32_t a = checker->of_rank[rank_a], b = checker->of_rank[rank_b], born = uses->born[b];
    assert(rank_a < rank_b && uses->born[a] <= born);
    if (stream_uses_tensor(uses, a) == stream_uses_tensor(uses, b))
        return STATUS_OK;
    for (uint32_t s = 0; s < checker->graph->streams.count; s++) {
        uint32_t last = stream_uses_last(uses, a)[s];
        if (!last)
            continue;
        if (last >= born) {
            report_overlap(checker, a, b);
            return STATUS_OK;
        }
        assert(last <= checker->run.steps);
        TRY(memory_reserve(&checker->question, &checker->question_capacity, checker->questions + 1,
                           sizeof *checker->question, checker->error));
        checker->question[checker->questions++] =
            (struct stream_question){.earlier = last - 1, .later = born - 1, .a = a, .b = b};
    }
    if (!born)
        report_overlap(checker, a, b);
    return STATUS_OK;
}

/* Goes through the borders. A tenant that comes in is compared with its neighbours in the order of
   birth; where one goes, its neighbours become neighbours of each other, and are compared. */
static enum status sweep_arena(struct checker *checker)
{
    checker->questions = 0;
    for (size_t i = 0; i < checker->borders; i++) {
        uint32_t tenant = checker->border[i].tenant, rank = checker->rank[tenant], below, above;
        bool begins = checker->border[i].begins;
        assert(i == 0 || checker->border[i - 1].offset <= checker->border[i].offset);
        if (checker->uses.born[tenant] == GRAPH_NONE)
            continue;
        assert(begins || checker->present[tenant] > 0);
        if (begins ? checker->present[tenant]++ : --checker->present[tenant])
            continue; /* another piece of it is here */
        if (!begins)
            rank_set_remove(&checker->ranks, rank);
        bool has_below = rank_set_below(&checker->ranks, rank, &below);
        bool has_above = rank_set_above(&checker->ranks, rank, &above);
        if (begins && has_below)
            TRY(ask_order(checker, below, rank));
        if (begins && has_above)
            TRY(ask_order(checker, rank, above));
        if (!begins && has_below && has_above)
            TRY(ask_order(checker, below, above));
        if (begins)
            rank_set_insert(&checker->ranks, rank);
    }
    return STATUS_OK;
}

/* At an offset ends come before beginnings, so that tenants side by side never meet. */
COMPARE_MEMBERS(compare_borders, struct border, offset, begins, tenant)

static enum status find_borders(struct checker *checker)
{
    struct extent extent;
    checker->borders = 0;
    for (uint32_t t = 0; t < checker->uses.tenants; t++) {
        uint32_t tensor = stream_uses_tensor(&checker->uses, t);
        assert(tensor < checker->graph->tensors);
        struct extents_walk walk =
            placement_begin(checker->placement, tensor, checker->bytes[tensor]);
        while (checker->uses.place[tensor] == tensor && extents_next(&walk, &extent)) {
            TRY(memory_reserve(&checker->border, &checker->border_capacity, checker->borders + 2,
                               sizeof *checker->border, checker->error));
            checker->border[checker->borders++] = (struct border){extent.offset, t, true};
            checker->border[checker->borders++] =
                (struct border){extent.offset + extent.bytes, t, false};
        }
    }
    if (checker->borders)
        qsort(checker->border, checker->borders, sizeof *checker->border, compare_borders);
    return STATUS_OK;
}

static enum status check_run(void *context, const uint32_t *choice)
{
    struct checker *checker = context;
    TRY(stream_run_follow(&checker->run, choice, checker->error));
    TRY(stream_uses_find(&checker->uses, &checker->run, checker->error));
    if (checker->varies || !checker->borders) {
        value_bytes_find(checker->graph, choice, checker->bytes);
        TRY(find_borders(checker));
    }
    TRY(rank_births(checker));
    TRY(sweep_arena(checker));
    assert(checker->borders % 2 == 0);
    TRY(stream_run_answer(&checker->run, checker->question, checker->questions, checker->error));
    for (size_t q = 0; q < checker->questions; q++)
        if (!checker->question[q].before)
            report_overlap(checker, checker->question[q].a, checker->question[q].b);
    return checker->verdict->fault ? STATUS_NO : STATUS_OK;
}

static void free_checker(struct checker *checker)
{
    stream_run_free(&checker->run);
    stream_uses_free(&checker->uses);
    memory_free_all(checker->border, checker->question);
}

/* STATUS_NO where there is a fault, which is in the verdict then. Where there are too many runs to
   look at all, a way on which two tensors overlap is searched for. Samples are looked at only where
   that search takes too long. */
static enum status check_runs(struct checker *checker)
{
    enum { MOST_RUNS = 4096, MOST_STEPS = 4000000, LEAST_RUNS = 16 };
    const struct graph *graph = checker->graph;
    const struct graph_way_visitor visitor = {check_run, checker};
    enum stream_pairs_answer answer;
    uint32_t runs = MOST_STEPS / (graph->operators + 1), *way;
    runs = runs > MOST_RUNS ? MOST_RUNS : runs < LEAST_RUNS ? LEAST_RUNS : runs;
    if (graph_count_ways(graph, runs) <= runs)
        return graph_visit_ways(graph, runs, &visitor, checker->error);
    TRY(scratch_take(&checker->run.scratch, &way, graph->operators, sizeof *way, checker->error));
    TRY(stream_pairs_decide(graph, checker->placement, way, &answer, checker->error));
    if (answer == STREAM_PAIRS_OVERLAP) {
        enum status status = check_run(checker, way);
        assert(status != STATUS_OK);
        return status;
    }
    if (answer == STREAM_PAIRS_UNKNOWN) {
        TRY(graph_visit_ways(graph, runs, &visitor, checker->error));
        *checker->verdict = (struct verdict){.fault = VERIFY_SAMPLED, .first = runs};
    }
    return STATUS_OK;
}

enum status verify_streams(const struct graph *graph, const struct placement *placement,
                           struct verdict *verdict, struct error *error)
{
    SCOPED(free_checker)
    struct checker checker = {
        .graph = graph, .placement = placement, .verdict = verdict, .error = error};
    struct scratch *scratch = &checker.run.scratch; /* which is freed with the run */
    TRY(stream_run_create(graph, &checker.run, error));
    TRY(stream_uses_create(graph, placement, &checker.uses, error));
    TRY(value_bytes_any_varies(graph, &checker.varies, error));
    uint32_t tenants = checker.uses.tenants;
    TRY(scratch_take(scratch, &checker.bytes, graph->tensors, sizeof(uint64_t), error));
    TRY(scratch_take_all(scratch, tenants, error, &checker.present, &checker.rank,
                         &checker.of_rank));
    TRY(rank_set_create(tenants, &checker.ranks, scratch, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (checker.uses.place[t] == GRAPH_NONE && !graph->tensor[t].external) {
            *verdict = (struct verdict){.fault = VERIFY_NO_OFFSET, .first = t};
            return STATUS_OK;
        }
    enum status status = check_runs(&checker);
    assert(status != STATUS_NO || verdict->fault == VERIFY_OVERLAP);
    return status == STATUS_NO ? STATUS_OK : status;
}
