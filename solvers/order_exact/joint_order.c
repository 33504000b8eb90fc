/* The order whose best placement has the least peak, for small graphs: every order whose load stays
   below the least peak so far is placed by the exact planner. Lazy sources run late, since that
   only takes conflicts away; no other rule about loads holds for peaks. */

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"
#include "planning/plan/plan.h"
#include "solvers/order_exact/model/cursor.h"
#include "solvers/order_exact/model/model.h"
#include "solvers/order_exact/model/visited.h"
#include "solvers/order_exact/solve.h"

enum { MOST_OPERATORS = 16, WIDTH = 64 };

static const uint64_t most_bytes = UINT64_C(1) << 30;

extern const struct planner planner_exact;

struct joint {
    const struct order_view *view;
    struct order_cursor cursor;
    struct order_visited dead; /* downsets from which no order stays below the least peak */
    uint32_t *permutation;     /* [operators] with the least peak so far */
    uint64_t peak_bytes, bound_bytes, deadline_ns, orders;
    bool is_over; /* the time is over */
    struct error *error;
};

static void find_steps(const struct order_view *view, const uint32_t *permutation, uint32_t *step)
{
    for (uint32_t i = 0; i < view->operators; i++)
        step[permutation[i]] = i;
}

/* When a tensor is live; upper is 0 where it never is. */
static struct problem_segment find_life(const struct order_view *view, const uint32_t *step,
                                        uint32_t t)
{
    bool produced = view->producer[t] != ORDER_NONE;
    struct problem_segment life = {.lower = produced ? step[view->producer[t]] : 0,
                                   .window_upper = view->bytes[t]};
    life.upper = produced ? life.lower + 1 : 0;
    for (uint32_t i = view->readers.start[t]; i < view->readers.start[t + 1]; i++)
        if (step[view->readers.item[i]] + 1 > life.upper)
            life.upper = step[view->readers.item[i]] + 1;
    if (view->kept[t])
        life.upper = view->operators;
    return life;
}

static enum status add_life(struct problem *problem, struct problem_segment life,
                            struct error *error)
{
    const struct problem_buffer buffer = {"", life.window_upper, 1, PROBLEM_FREE, -1};
    if (!life.upper || !life.window_upper)
        return STATUS_OK;
    TRY(problem_add_buffer(problem, &buffer, error));
    return problem_add_segment(problem, life, error);
}

static uint64_t find_extra(const struct order_view *view, uint32_t v)
{
    uint64_t outputs = 0;
    for (uint32_t i = view->outputs.start[v]; i < view->outputs.start[v + 1]; i++)
        outputs += view->bytes[view->outputs.item[i]];
    return view->alloc_bytes[v] > outputs ? view->alloc_bytes[v] - outputs : 0;
}

static enum status make_problem(const struct joint *joint, const uint32_t *permutation,
                                struct problem *problem)
{
    const struct order_view *view = joint->view;
    uint32_t step[MOST_OPERATORS];
    find_steps(view, permutation, step);
    for (uint32_t t = 0; t < view->tensors; t++)
        TRY(add_life(problem, find_life(view, step, t), joint->error));
    for (uint32_t v = 0; v < view->operators; v++)
        TRY(add_life(problem,
                     (struct problem_segment){step[v], step[v] + 1, 0, find_extra(view, v)},
                     joint->error));
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
    struct plan *plan;
    *peak_bytes = UINT64_MAX;
    TRY(plan_create(problem, &plan, joint->error));
    enum status status = planner_exact.plan(&planner_exact, &task, plan, joint->error);
    if (!status && plan_found(plan))
        *peak_bytes = plan->measures.peak_bytes;
    if (plan->status != PLAN_OPTIMAL && plan->status != PLAN_INFEASIBLE &&
        *peak_bytes > capacity_bytes)
        joint->is_over = true;
    plan_free(plan);
    return status;
}

/* Asks first whether there is a plan below the least peak so far, which is answered sooner, and
   only then for the least peak of this order. */
static enum status place(struct joint *joint, const struct problem *problem,
                         const uint32_t *permutation)
{
    uint64_t peak;
    joint->orders++;
    TRY(plan_problem(joint, problem, joint->peak_bytes - 1, &peak));
    if (peak >= joint->peak_bytes)
        return STATUS_OK;
    joint->peak_bytes = peak;
    memcpy(joint->permutation, permutation, joint->view->operators * sizeof *permutation);
    TRY(plan_problem(joint, problem, UINT64_MAX, &peak));
    if (peak < joint->peak_bytes)
        joint->peak_bytes = peak;
    return STATUS_OK;
}

static enum status place_order(struct joint *joint, const uint32_t *permutation)
{
    struct problem *problem;
    TRY(problem_create(&problem, "", joint->error));
    enum status status = make_problem(joint, permutation, problem);
    if (!status && problem->buffers)
        status = place(joint, problem, permutation);
    else if (!status)
        joint->peak_bytes = 0;
    problem_free(problem);
    return status;
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
    uint32_t steps = cursor->steps, number;
    uint64_t unused = 0;
    *any = cursor->count == joint->view->operators;
    if (*any)
        return place_order(joint, cursor->path);
    for (uint32_t v = order_cursor_next_ready(cursor, 0); v != ORDER_NONE && !is_done(joint);
         v = order_cursor_next_ready(cursor, v + 1)) {
        bool below = false, alive = true;
        if (order_cursor_try(cursor, v).most_bytes >= joint->peak_bytes)
            continue;
        order_cursor_run(cursor, v, &unused);
        TRY(order_visited_add(&joint->dead, cursor->ran, cursor->hash, &alive, &number,
                              joint->error));
        if (alive)
            order_visited_forget(&joint->dead, number);
        if (alive)
            TRY(go_on(joint, &below));
        if (alive && !below && !is_done(joint))
            TRY(order_visited_add(&joint->dead, cursor->ran, cursor->hash, &alive, &number,
                                  joint->error));
        *any = *any || below;
        order_cursor_undo(cursor, steps);
    }
    return STATUS_OK;
}

/* Begins with an order of the least load, which is a lower bound on every peak. */
static enum status search(struct joint *joint, const struct order_model *model,
                          const struct order_effort *effort)
{
    bool any;
    struct order_answer answer = {.permutation = joint->permutation};
    TRY(order_load(joint->view, joint->permutation, &answer.load_bytes, joint->error));
    TRY(order_solve(model, effort, &answer, joint->error));
    joint->bound_bytes = answer.bound_bytes;
    joint->peak_bytes = UINT64_MAX;
    TRY(place_order(joint, joint->permutation));
    TRY(order_cursor_create(model, &joint->cursor, joint->error));
    joint->dead.words = model->words;
    return is_done(joint) ? STATUS_OK : go_on(joint, &any);
}

static enum status search_model(struct joint *joint)
{
    const struct order_effort effort = {
        .deadline_ns = joint->deadline_ns, .most_bytes = most_bytes, .width = WIDTH};
    struct order_model *model;
    TRY(order_model_create(joint->view, ORDER_LAZY_SOURCES, most_bytes, &model, joint->error));
    enum status status = search(joint, model, &effort);
    order_cursor_free(&joint->cursor);
    order_visited_free(&joint->dead);
    order_model_free(model);
    return status;
}

/* Reports of orders speak of loads, not of peaks: this one says optimal only where no order has a
   lower load. */
static enum status order_jointly(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    const struct order_view *view = task->view;
    struct joint joint = {.view = view,
                          .permutation = permutation,
                          .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                          .error = error};
    (void)row;
    *report = (struct order_report){.status = PLAN_UNSUPPORTED};
    if (view->operators > MOST_OPERATORS || view->first_spared[view->operators] ||
        view->first_bytes)
        return STATUS_OK;
    for (uint32_t v = 0; v < view->operators; v++)
        permutation[v] = v;
    TRY(search_model(&joint));
    report->bound_bytes = joint.bound_bytes;
    report->states = joint.orders;
    TRY(order_load(view, permutation, &report->load_bytes, error));
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
