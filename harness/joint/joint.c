#include "harness/joint/joint.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "harness/catalogue/orders.h"
#include "harness/job/workers.h"
#include "harness/joint/moves.h"

enum { MOST_MOVES = 20000, MOST_PLANNED = 3 };

/* An order and the peak of a quick plan of it. */
struct candidate {
    const char *name;
    struct ordered ordered;
    uint64_t peak_bytes;
    uint32_t position; /* its position in the order in which candidates were added */
    bool planned;      /* the job's planner has planned it */
};

struct search {
    const struct job *job;
    struct joint *joint;
    struct candidate *candidate; /* [count] the stored order first; once sorted, the best */
    uint32_t count;
    uint32_t best_position; /* position of the candidate whose plan is kept */
    uint64_t deadline_ns;
    struct error *error;
};

static const struct order_row moved = {.name = "moves", .title = "moves of single operators"};

static bool is_proved(const struct search *search, uint64_t peak_bytes)
{
    return search->joint->bound_bytes && peak_bytes <= search->joint->bound_bytes;
}

/* One of `part` equal parts of the time that is left. */
static uint64_t share_time(const struct search *search, uint32_t part)
{
    uint64_t left = clock_left_ns(search->deadline_ns);
    return left == UINT64_MAX ? left : left / part;
}

static struct ordered_request make_request(const struct search *search, const struct order_row *row)
{
    const struct job *job = search->job;
    return (struct ordered_request){
        .instance = job->instance,
        .row = row,
        .policy = job->policy,
        .inplace = job->inplace,
        .time_limit_ns = share_time(search, 4),
        .memory_limit_bytes = job->memory_limit_bytes ? job->memory_limit_bytes : UINT64_MAX,
        .seed = job->seed};
}

static enum status add_candidate(struct search *search, const struct order_row *row)
{
    struct candidate *candidate = &search->candidate[search->count];
    const struct ordered_request request = make_request(search, row);
    struct error fault = ERROR_NONE;
    if (ordered_create(&request, &candidate->ordered, &fault)) {
        if (!error_is_no_memory(&fault) && row != orders_at(0))
            return STATUS_OK;
        *search->error = fault;
        return fault.status;
    }
    candidate->name = row->name;
    candidate->position = search->count++;
    uint64_t bound = candidate->ordered.report.bound_bytes;
    if (bound > search->joint->bound_bytes && !graph_has_control_flow(search->job->instance->graph))
        search->joint->bound_bytes = bound;
    search->joint->orders++;
    return moves_quick_peak(search->job, candidate->ordered.instance, &candidate->peak_bytes,
                            search->error);
}

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->peak_bytes != b->peak_bytes)
        return a->peak_bytes < b->peak_bytes ? -1 : 1;
    uint64_t load = a->ordered.report.load_bytes, other = b->ordered.report.load_bytes;
    if (load != other)
        return load < other ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

/* True for the orders that are tried before all others: the stored one, and one of the least
   load. */
static bool is_first(const struct order_row *row)
{
    return row == orders_at(0) || row == orders_find("exact_order");
}

static enum status add_first(struct search *search)
{
    for (uint32_t i = 0; i < orders_count(); i++)
        if (is_first(orders_at(i)))
            TRY(add_candidate(search, orders_at(i)));
    return STATUS_OK;
}

/* Adds as many of the other orders as there is time for, and sorts all candidates. */
static enum status add_others(struct search *search)
{
    for (uint32_t i = 0; i < orders_count() && clock_left_ns(search->deadline_ns); i++)
        if (!is_first(orders_at(i)))
            TRY(add_candidate(search, orders_at(i)));
    qsort(search->candidate, search->count, sizeof *search->candidate, compare_candidates);
    return STATUS_OK;
}

/* The order that moves ended with. It is added as if a row of its own had found it, so that it is
   checked like any other. */
struct given {
    const struct graph *graph;
    const struct graph_order *order;
};

static enum status follow_moves(const struct order_row *row, const struct order_task *task,
                                uint32_t *permutation, struct order_report *report,
                                struct error *error)
{
    const struct given *given = row->rule;
    const struct order_view *view = task->view;
    uint32_t region = given->graph->op[view->graph_operator[0]].region, *number;
    const uint32_t *op = given->order->op + given->order->first[region];
    TRY(memory_create(&number, given->graph->operators, sizeof *number, error));
    for (uint32_t v = 0; v < view->operators; v++)
        number[view->graph_operator[v]] = v;
    for (uint32_t i = 0; i < view->operators; i++)
        permutation[i] = number[op[i]];
    memory_free(number);
    return order_report_feasible(view, permutation, report, error);
}

static enum status move_best(struct search *search)
{
    struct candidate *best = &search->candidate[0];
    uint64_t peak_bytes = best->peak_bytes;
    const struct moves_request request = {.job = search->job,
                                          .bound_bytes = search->joint->bound_bytes,
                                          .deadline_ns = clock_deadline_ns(share_time(search, 4)),
                                          .most = MOST_MOVES};
    TRY(moves_improve(&request, best->ordered.order, &peak_bytes, &search->joint->moves,
                      search->error));
    const struct given given = {search->job->instance->graph, best->ordered.order};
    struct order_row row = moved;
    row.rule = &given;
    row.order = follow_moves;
    if (peak_bytes == best->peak_bytes)
        return STATUS_OK;
    TRY(add_candidate(search, &row));
    search->candidate[search->count - 1].name = moved.name;
    qsort(search->candidate, search->count, sizeof *search->candidate, compare_candidates);
    return STATUS_OK;
}

/* True if a plan was found. Before the first job was run there is no outcome to ask. */
static bool has_plan(const struct joint *joint)
{
    return joint->job.instance && outcome_found(&joint->outcome);
}

static void keep_outcome(struct search *search, const struct candidate *candidate,
                         const struct job *job, struct outcome *outcome)
{
    struct joint *joint = search->joint;
    bool better =
        !joint->job.instance ||
        (outcome_found(outcome) &&
         (!has_plan(joint) || outcome->measures.peak_bytes < joint->outcome.measures.peak_bytes));
    if (!better) {
        outcome_clear(outcome);
        return;
    }
    outcome_clear(&joint->outcome);
    joint->outcome = *outcome;
    joint->job = *job;
    search->best_position = candidate->position;
}

static enum status plan_candidate(struct search *search, struct candidate *candidate, uint32_t part)
{
    struct job job = *search->job;
    struct outcome outcome;
    candidate->planned = true;
    job.instance = candidate->ordered.instance;
    job.time_limit_ns = share_time(search, part);
    TRY(workers_run(&job, &outcome, search->error));
    keep_outcome(search, candidate, &job, &outcome);
    return STATUS_OK;
}

static bool is_done(const struct search *search)
{
    return has_plan(search->joint) && is_proved(search, search->joint->outcome.measures.peak_bytes);
}

/* Plans the orders whose load equals the bound. If a plan needs no more than that, no better one
   can be found. */
static enum status plan_least_load(struct search *search)
{
    for (uint32_t i = 0; i < search->count && !is_done(search); i++)
        if (is_proved(search, search->candidate[i].ordered.report.load_bytes))
            TRY(plan_candidate(search, &search->candidate[i], 4));
    return STATUS_OK;
}

/* Moves the order of the least load up to the second position: it may lead to the least peak, even
   if the quick planners do not show that. */
static void raise_least_load(struct search *search)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < search->count; i++)
        if (search->candidate[i].ordered.report.load_bytes <
            search->candidate[least].ordered.report.load_bytes)
            least = i;
    if (least < 2)
        return;
    struct candidate raised = search->candidate[least];
    search->candidate[least] = search->candidate[1];
    search->candidate[1] = raised;
}

static bool is_hopeless(const struct search *search, const struct candidate *candidate)
{
    return has_plan(search->joint) &&
           candidate->ordered.report.load_bytes >= search->joint->outcome.measures.peak_bytes;
}

static enum status run_search(struct search *search)
{
    TRY(add_first(search));
    TRY(plan_least_load(search));
    if (is_done(search))
        return STATUS_OK;
    TRY(add_others(search));
    if (!is_proved(search, search->candidate[0].peak_bytes))
        TRY(move_best(search));
    /* Lets the job's planner plan the first candidates, which share the time that is left. */
    uint32_t most = search->count < MOST_PLANNED ? search->count : MOST_PLANNED;
    raise_least_load(search);
    for (uint32_t i = 0; i < most && !is_done(search); i++)
        if (!search->candidate[i].planned && !is_hopeless(search, &search->candidate[i]))
            TRY(plan_candidate(search, &search->candidate[i], most - i));
    return STATUS_OK;
}

static void take_best(struct search *search)
{
    for (uint32_t i = 0; i < search->count; i++) {
        struct candidate *candidate = &search->candidate[i];
        if (candidate->position != search->best_position)
            continue;
        struct joint *joint = search->joint;
        joint->ordered = candidate->ordered;
        candidate->ordered = (struct ordered){.instance = NULL};
        strncpy(joint->order, candidate->name, sizeof joint->order - 1);
        return;
    }
}

/* Fails if the bound is wrong: some order has a load below it, or the plan a peak. */
static enum status judge(const struct search *search)
{
    const struct joint *joint = search->joint;
    for (uint32_t i = 0; i < search->count; i++) {
        const struct candidate *candidate = &search->candidate[i];
        if (candidate->ordered.report.load_bytes < joint->bound_bytes)
            return error_set(search->error, STATUS_NO,
                             "order %s has a load of %llu bytes, but no order is said to have one "
                             "below %llu",
                             candidate->name,
                             (unsigned long long)candidate->ordered.report.load_bytes,
                             (unsigned long long)joint->bound_bytes);
        if (has_plan(joint) && candidate->position == search->best_position)
            TRY(ordered_check_plan(&candidate->ordered, &joint->outcome.measures,
                                   joint->bound_bytes, search->error));
    }
    return STATUS_OK;
}

enum status joint_plan(const struct job *job, struct joint *joint, struct error *error)
{
    struct search search = {.job = job,
                            .joint = joint,
                            .deadline_ns = clock_deadline_ns(job->time_limit_ns),
                            .error = error};
    *joint = (struct joint){.order = ""};
    if (!job->instance->graph)
        return error_set(error, STATUS_USAGE,
                         "'%s' is a problem, whose steps are fixed; expected a graph",
                         job->instance->name);
    TRY(memory_create(&search.candidate, (size_t)orders_count() + 1, sizeof *search.candidate,
                      error));
    enum status status = run_search(&search);
    if (!status)
        status = judge(&search);
    if (!status)
        take_best(&search);
    for (uint32_t i = 0; i < search.count; i++)
        ordered_clear(&search.candidate[i].ordered);
    memory_free(search.candidate);
    if (status)
        joint_clear(joint);
    return status;
}

void joint_clear(struct joint *joint)
{
    outcome_clear(&joint->outcome);
    ordered_clear(&joint->ordered);
}
