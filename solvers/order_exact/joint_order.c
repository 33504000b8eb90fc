/* The order whose best plan has the least peak, for small graphs: the exact planner plans every
   order whose load is below the least peak so far. Lazy sources run as late as possible, since that
   only removes conflicts; no other rule about loads holds for peaks. */

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/set_table.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"
#include "planning/plan/plan.h"
#include "solvers/order_exact/model/cursor.h"
#include "solvers/order_exact/model/model.h"
#include "solvers/order_exact/solve.h"

enum { MOST_OPERATORS = 16, WIDTH = 64 };

static const uint64_t most_bytes = UINT64_C(1) << 30;

extern const struct planner planner_exact;

struct joint {
    const struct order_view *view;
    struct order_cursor cursor;
    struct set_table dead; /* downsets from which no order stays below the least peak */
    uint32_t *permutation; /* [operators] with the least peak so far */
    uint64_t peak_bytes, bound_bytes, deadline_ns, orders;
    bool is_over; /* the time is over */
    struct error *error;
};

/* Adds a buffer that is live in the steps [lower, upper), unless it is empty or never live. */
static enum status add_life(struct problem *problem, uint32_t lower, uint32_t upper, uint64_t bytes,
                            struct error *error)
{
    const struct problem_buffer buffer = {"", bytes, 1, PROBLEM_FREE, -1};
    assert(upper <= MOST_OPERATORS);
    if (lower >= upper || !bytes)
        return STATUS_OK;
    TRY(problem_add_buffer(problem, &buffer, error));
    return problem_add_segment(problem, (struct problem_segment){lower, upper, 0, bytes}, error);
}

/* The problem of an order: its tensors, and what each operator takes beside its outputs. */
static enum status make_problem(const struct joint *joint, const uint32_t *permutation,
                                struct problem *problem)
{
    const struct order_view *view = joint->view;
    uint32_t step[MOST_OPERATORS];
    assert(view->operators <= MOST_OPERATORS);
    for (uint32_t i = 0; i < view->operators; i++)
        step[permutation[i]] = i;
    for (uint32_t t = 0; t < view->tensors; t++) {
        bool produced = view->producer[t] != ORDER_NONE;
        uint32_t lower = produced ? step[view->producer[t]] : 0, upper = produced ? lower + 1 : 0;
        for (uint32_t i = view->readers.start[t]; i < view->readers.start[t + 1]; i++)
            if (step[view->readers.item[i]] + 1 > upper)
                upper = step[view->readers.item[i]] + 1;
        if (view->kept[t])
            upper = view->operators;
        TRY(add_life(problem, lower, upper, view->bytes[t], joint->error));
    }
    for (uint32_t v = 0; v < view->operators; v++) {
        uint64_t outputs = order_view_sum(view, &view->outputs, v);
        assert(step[v] < view->operators && permutation[step[v]] == v);
        uint64_t extra = view->alloc_bytes[v] > outputs ? view->alloc_bytes[v] - outputs : 0;
        TRY(add_life(problem, step[v], step[v] + 1, extra, joint->error));
    }
    return problem_finish(problem, joint->error);
}

/* Asks the exact planner for the best plan within the capacity: *peak_bytes is its peak, UINT64_MAX
   where there is no plan. */
static enum status plan_problem(struct joint *joint, const struct problem *problem,
                                uint64_t capacity_bytes, uint64_t *peak_bytes)
{
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = capacity_bytes,
                                      .time_limit_ns = clock_left_ns(joint->deadline_ns)};
    SCOPED(plan_release) struct plan *plan = NULL;
    *peak_bytes = UINT64_MAX;
    assert(capacity_bytes >= joint->bound_bytes);
    TRY(plan_create(problem, &plan, joint->error));
    TRY(planner_exact.plan(&planner_exact, &task, plan, joint->error));
    assert(!plan_found(plan) || plan->measures.peak_bytes >= joint->bound_bytes);
    if (plan_found(plan))
        *peak_bytes = plan->measures.peak_bytes;
    if (plan->status != PLAN_OPTIMAL && plan->status != PLAN_INFEASIBLE &&
        *peak_bytes > capacity_bytes)
        joint->is_over = true;
    return STATUS_OK;
}

/* Asks first whether the order has a plan below the least peak so far, which is answered sooner,
   and only then for its least peak. */
static enum status place_order(struct joint *joint, const uint32_t *permutation)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    uint64_t peak;
    TRY(problem_create(&problem, "", joint->error));
    TRY(make_problem(joint, permutation, problem));
    if (!problem->buffers) {
        joint->peak_bytes = 0;
        return STATUS_OK;
    }
    joint->orders++;
    assert(joint->bound_bytes <= joint->peak_bytes);
    TRY(plan_problem(joint, problem, joint->peak_bytes - 1, &peak));
    if (peak >= joint->peak_bytes)
        return STATUS_OK;
    joint->peak_bytes = peak;
    assert(peak >= joint->bound_bytes);
    memcpy(joint->permutation, permutation, joint->view->operators * sizeof *permutation);
    TRY(plan_problem(joint, problem, UINT64_MAX, &peak));
    if (peak < joint->peak_bytes)
        joint->peak_bytes = peak;
    return STATUS_OK;
}

static bool is_done(struct joint *joint)
{
    if (!clock_left_ns(joint->deadline_ns))
        joint->is_over = true;
    return joint->is_over || joint->peak_bytes <= joint->bound_bytes;
}

/* Tries all orders that begin with what the cursor ran. *any: some order from here has been placed.
   The recursion is as deep as there are operators. */
static enum status go_on(struct joint *joint, bool *any)
{
    struct order_cursor *cursor = &joint->cursor;
    uint32_t steps = cursor->steps;
    uint64_t unused = 0;
    assert(cursor->count <= joint->view->operators);
    assert(steps == cursor->count);
    *any = cursor->count == joint->view->operators;
    if (*any)
        return place_order(joint, cursor->path);
    for (uint32_t v = order_cursor_next_ready(cursor, 0); v != ORDER_NONE && !is_done(joint);
         v = order_cursor_next_ready(cursor, v + 1)) {
        bool below = false;
        if (order_cursor_try(cursor, v).most_bytes >= joint->peak_bytes)
            continue;
        order_cursor_run(cursor, v, &unused);
        if (set_table_find(&joint->dead, cursor->ran, cursor->hash) == SET_TABLE_NONE) {
            TRY(go_on(joint, &below));
            if (!below && !is_done(joint))
                TRY(set_table_add(&joint->dead, cursor->ran, cursor->hash, joint->error));
        }
        *any = *any || below;
        order_cursor_undo(cursor, steps);
        assert(cursor->count == steps);
    }
    return STATUS_OK;
}

static void free_joint(struct joint *joint)
{
    order_cursor_free(&joint->cursor);
    set_table_free(&joint->dead);
}

/* Reports of orders speak of loads, not of peaks: this one says optimal only where no order has a
   lower load. */
static enum status order_jointly(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    const struct order_view *view = task->view;
    SCOPED(order_model_release) struct order_model *model = NULL;
    SCOPED(free_joint)
    struct joint joint = {.view = view,
                          .permutation = permutation,
                          .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                          .peak_bytes = UINT64_MAX,
                          .error = error};
    const struct order_effort effort = {
        .deadline_ns = joint.deadline_ns, .most_bytes = most_bytes, .width = WIDTH};
    struct order_answer answer = {.permutation = permutation};
    bool any;
    (void)row;
    *report = (struct order_report){.status = PLAN_UNSUPPORTED};
    if (view->operators > MOST_OPERATORS || view->first_spared[view->operators] ||
        view->first_bytes)
        return STATUS_OK;
    for (uint32_t v = 0; v < view->operators; v++)
        permutation[v] = v;
    /* An order of the least load comes first, as that is a lower bound on every peak. */
    TRY(order_model_create(view, ORDER_LAZY_SOURCES, most_bytes, &model, error));
    TRY(order_load(view, permutation, &answer.load_bytes, error));
    TRY(order_solve(model, &effort, &answer, error));
    joint.bound_bytes = answer.bound_bytes;
    assert(answer.bound_bytes <= answer.load_bytes);
    TRY(place_order(&joint, permutation));
    TRY(order_cursor_create(model, &joint.cursor, error));
    joint.dead.words = model->words;
    if (!is_done(&joint))
        TRY(go_on(&joint, &any));
    report->bound_bytes = joint.bound_bytes;
    report->states = joint.orders;
    TRY(order_load(view, permutation, &report->load_bytes, error));
    assert(report->bound_bytes <= report->load_bytes);
    report->status = report->load_bytes <= report->bound_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    return STATUS_OK;
}

const struct order_row order_joint_order = {
    .name = "joint",
    .title = "the least peak after exact placement, of at most 16 operators",
    .source = "ours",
    .flags = ORDER_SEARCHES,
    .order = order_jointly,
};
