#include "solvers/order_exact/by_parts.h"

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order_load.h"
#include "solvers/order_exact/model/build.h"
#include "solvers/order_exact/parts.h"
#include "solvers/order_exact/rules.h"

/* With more operators than this it may take long until a search has found anything, if it fits into
   the memory at all. The orders by rule are therefore tried first. */
enum { MOST_SMALL = 2000 };

struct passing {
    const struct order_by_parts *how;
    struct order_effort effort;
    struct order_parts parts;
    uint32_t *permutation; /* [operators] the order so far */
    uint32_t *local;       /* [operators] the order of a part, in its own numbers */
    uint64_t bound_bytes, states;
    struct error *error;
};

/* Searches one part. Since every order has the same operators between two cut points, an order of
   the part takes the place of its stretch of the whole order. */
static enum status search_part(struct passing *passing, const struct order_model *model)
{
    uint32_t first = passing->parts.first;
    struct order_answer answer = {.permutation = passing->local,
                                  .bound_bytes = passing->bound_bytes};
    for (uint32_t i = 0; i < model->operators; i++)
        passing->local[i] = passing->permutation[first + i] - first;
    TRY(order_load(model->view, passing->local, &answer.load_bytes, passing->error));
    if (answer.load_bytes > answer.bound_bytes)
        TRY(passing->how->search(model, &passing->effort, &answer, passing->error));
    for (uint32_t i = 0; i < model->operators; i++)
        passing->permutation[first + i] = first + passing->local[i];
    if (answer.bound_bytes > passing->bound_bytes)
        passing->bound_bytes = answer.bound_bytes;
    passing->states += answer.states;
    return STATUS_OK;
}

static enum status pass_part(struct passing *passing, bool search)
{
    struct order_view *view;
    struct order_model *model = NULL;
    TRY(order_parts_view(&passing->parts, &view, passing->error));
    enum status status = order_model_create(view, passing->how->rules, passing->effort.most_bytes,
                                            &model, passing->error);
    if (!status && order_model_bound(model) > passing->bound_bytes)
        passing->bound_bytes = order_model_bound(model);
    if (!status && search)
        status = search_part(passing, model);
    order_model_free(model);
    order_view_free(view);
    /* A part that is too large for the memory stays as it is. */
    return status == STATUS_LIMIT ? STATUS_OK : status;
}

static enum status pass_parts(struct passing *passing, const struct order_view *view, bool search)
{
    bool whole = !(passing->how->rules & ORDER_CUTS);
    TRY(order_parts_create(view, &passing->parts, passing->error));
    enum status status = STATUS_OK;
    while (!status && order_parts_next(&passing->parts, whole))
        status = pass_part(passing, search);
    order_parts_free(&passing->parts);
    return status;
}

/* The first pass finds the bounds of all parts. The load is the greatest of all parts, so that in
   the second pass no part has to get below the greatest bound. */
static enum status pass_twice(struct passing *passing, const struct order_view *view)
{
    TRY(pass_parts(passing, view, false));
    if (!clock_left_ns(passing->effort.deadline_ns))
        return STATUS_OK;
    return pass_parts(passing, view, true);
}

/* Finds the order to begin with: the stored one, or for large views the best of the orders by
   rule. */
static enum status find_first_order(struct passing *passing, const struct order_view *view)
{
    struct order_answer answer = {.permutation = passing->permutation};
    for (uint32_t v = 0; v < view->operators; v++)
        passing->permutation[v] = v;
    if (view->operators <= MOST_SMALL)
        return STATUS_OK;
    TRY(order_load(view, passing->permutation, &answer.load_bytes, passing->error));
    TRY(order_rules_try(view, passing->effort.deadline_ns, &answer, passing->error));
    passing->bound_bytes = answer.bound_bytes;
    return STATUS_OK;
}

enum status order_by_parts(const struct order_by_parts *how, const struct order_task *task,
                           uint32_t *permutation, struct order_report *report, struct error *error)
{
    const struct order_view *view = task->view;
    struct passing passing = {.how = how,
                              .effort = {.deadline_ns = clock_deadline_ns(task->time_limit_ns),
                                         .most_bytes = how->most_bytes,
                                         .width = how->width},
                              .permutation = permutation,
                              .error = error};
    if (task->memory_limit_bytes < passing.effort.most_bytes)
        passing.effort.most_bytes = task->memory_limit_bytes;
    TRY(memory_create(&passing.local, view->operators, sizeof(uint32_t), error));
    enum status status = find_first_order(&passing, view);
    if (!status)
        status = pass_twice(&passing, view);
    memory_free(passing.local);
    TRY(status);
    *report = (struct order_report){.bound_bytes = passing.bound_bytes, .states = passing.states};
    TRY(order_load(view, permutation, &report->load_bytes, error));
    report->status = report->load_bytes <= report->bound_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    return STATUS_OK;
}
