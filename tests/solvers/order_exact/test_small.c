#include <string.h>

#include "ordering/region.h"
#include "planning/order/order_load.h"
#include "solvers/order_exact/bounds/cut.h"
#include "solvers/order_exact/model/model.h"
#include "solvers/order_exact/search/decide.h"
#include "solvers/order_exact/search/pivots.h"
#include "solvers/order_exact/search/search.h"
#include "solvers/order_exact/small.h"
#include "solvers/order_exact/solve.h"
#include "solvers/solvers.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

/* Every search and every bound, under every set of rules, against all downsets of small graphs. */

enum {
    GRAPHS = TESTING_COUNT(2500, 40),
    RULES_EACH = TESTING_COUNT(ORDER_ALL_RULES / 2 + 2, 4),
    PROGRAMS = TESTING_COUNT(60, 3)
};

/* A graph, what is best on it, and with which rules it is tried. */
struct trial {
    const struct order_view *view;
    const struct order_model *model;
    uint64_t seed, best;
    bool overwrite;
    unsigned rules;
};

static void agree(const struct trial *trial, const char *what, uint64_t found, uint64_t expected)
{
    if (found != expected)
        printf("\n    %s of seed %llu, overwrite %d, rules %u: %llu, expected %llu", what,
               (unsigned long long)trial->seed, trial->overwrite, trial->rules,
               (unsigned long long)found, (unsigned long long)expected);
    CU_ASSERT_EQUAL(found, expected);
}

static uint64_t measure(const struct order_view *view, const uint32_t *permutation)
{
    uint64_t load = 0;
    must(order_permutation_check(view, permutation, &error));
    must(order_load(view, permutation, &load, &error));
    return load;
}

static void check_bounds(const struct trial *trial)
{
    uint64_t cut = 0, bound = order_model_bound(trial->model);
    must(order_cut_bound(trial->model, UINT64_MAX, &cut, &error));
    if (bound > trial->best || cut > trial->best)
        agree(trial, "bound", bound > cut ? bound : cut, trial->best);
}

typedef enum status search(const struct order_model *model, const struct order_effort *effort,
                           struct order_answer *answer, struct error *error);

static struct order_answer run_search(const struct trial *trial, search *run, uint32_t *permutation)
{
    const struct order_effort effort = {.deadline_ns = UINT64_MAX,
                                        .most_bytes = UINT64_MAX,
                                        .width = 2,
                                        .fewest_live = trial->seed % 2};
    struct order_answer answer = {.permutation = permutation};
    for (uint32_t v = 0; v < trial->view->operators; v++)
        permutation[v] = v;
    answer.load_bytes = measure(trial->view, permutation);
    must(run(trial->model, &effort, &answer, &error));
    agree(trial, "load of the order", measure(trial->view, permutation), answer.load_bytes);
    return answer;
}

static enum status search_pivots(const struct order_model *model, const struct order_effort *effort,
                                 struct order_answer *answer, struct error *fault)
{
    SCOPED(order_pivots_release) struct order_pivots *pivots = NULL;
    TRY(order_pivots_create(model, effort, &pivots, fault));
    return order_pivots_run(pivots, UINT64_MAX, answer, fault);
}

static void check_searches(const struct trial *trial)
{
    static search *const exact[] = {order_search, order_solve};
    uint32_t permutation[SMALL_MOST_OPERATORS];
    for (int i = 0; i < 2; i++) {
        struct order_answer answer = run_search(trial, exact[i], permutation);
        agree(trial, i ? "questions" : "best first", answer.load_bytes, trial->best);
        agree(trial, i ? "bound of questions" : "bound of best first", answer.bound_bytes,
              trial->best);
    }
    struct order_answer answer = run_search(trial, order_beam, permutation);
    CU_ASSERT(answer.load_bytes >= trial->best && answer.bound_bytes <= trial->best);
    /* As pivots take as much as they may at least, and the first operator no more than others,
       their bound is the least load only where neither matters. */
    answer = run_search(trial, search_pivots, permutation);
    CU_ASSERT(answer.load_bytes >= trial->best);
    if (answer.bound_bytes > trial->best || (!trial->overwrite && !trial->view->first_bytes))
        agree(trial, "bound of pivots", answer.bound_bytes, trial->best);
}

/* The load of the order on yes, UINT64_MAX on no. */
static uint64_t ask(const struct trial *trial, struct order_decider *decider, uint64_t capacity,
                    uint64_t states, enum order_decision *decision)
{
    const struct order_question question = {capacity, states};
    uint32_t permutation[SMALL_MOST_OPERATORS];
    must(order_decider_ask(decider, &question, permutation, decision, &error));
    uint64_t load = *decision == ORDER_YES ? measure(trial->view, permutation) : UINT64_MAX;
    CU_ASSERT(*decision != ORDER_YES || load <= capacity);
    return load;
}

/* A question that goes on where an earlier one of a higher capacity ended, or was interrupted, has
   the answer of one that starts again. So have those from the worst capacity down, each below the
   order that was found. */
static void check_questions(const struct trial *trial)
{
    const struct order_effort effort = {
        .deadline_ns = UINT64_MAX, .most_bytes = UINT64_MAX, .width = 1};
    const uint64_t capacity[] = {trial->best + 3, trial->best, trial->best - 1, trial->best + 1};
    SCOPED(order_decider_release) struct order_decider *decider = NULL;
    SCOPED(order_decider_release) struct order_decider *descent = NULL;
    enum order_decision decision;
    must(order_decider_create(trial->model, &effort, &decider, &error));
    for (uint32_t i = 0; i < sizeof capacity / sizeof *capacity; i++) {
        if (capacity[i] == UINT64_MAX)
            continue;
        for (uint32_t states = 0; states < 3; states++)
            ask(trial, decider, capacity[i], states, &decision);
        ask(trial, decider, capacity[i], UINT64_MAX, &decision);
        agree(trial, "decision", decision, capacity[i] < trial->best ? ORDER_NO : ORDER_YES);
    }
    uint64_t least = UINT64_MAX, found = 0;
    must(order_decider_create(trial->model, &effort, &descent, &error));
    while (least && found != UINT64_MAX) {
        found = ask(trial, descent, least - 1, UINT64_MAX, &decision);
        least = found < least ? found : least;
    }
    agree(trial, "descent", least, trial->best);
}

/* Every graph under every set of rules, or under all rules and some sets where few are tried. */
static void test_all_rules(void)
{
    for (uint64_t seed = 1; seed <= GRAPHS; seed++)
        for (int overwrite = 0; overwrite < 2; overwrite++) {
            SCOPED(order_view_release) struct order_view *view = small_view(seed, overwrite);
            struct trial trial = {view, NULL, seed, region_least_load(view), overwrite, 0};
            for (unsigned i = 0; i < RULES_EACH; i++) {
                SCOPED(order_model_release) struct order_model *model = NULL;
                trial.rules =
                    i ? (unsigned)(seed * (RULES_EACH - 1) + i) & ORDER_ALL_RULES : ORDER_ALL_RULES;
                must(order_model_create(view, trial.rules, UINT64_MAX, &model, &error));
                trial.model = model;
                check_bounds(&trial);
                check_searches(&trial);
                check_questions(&trial);
            }
        }
}

static struct order_report run_row(const struct order_row *row, const struct order_view *view)
{
    const struct order_task task = {view, UINT64_MAX, UINT64_MAX, 0, NULL};
    struct order_report report;
    uint32_t permutation[SMALL_MOST_OPERATORS];
    must(order_ask(row, &task, permutation, &report, &error));
    CU_ASSERT_EQUAL(measure(view, permutation), report.load_bytes);
    CU_ASSERT(report.bound_bytes <= report.load_bytes);
    CU_ASSERT_EQUAL(report.status == PLAN_OPTIMAL, report.bound_bytes == report.load_bytes);
    return report;
}

static const struct order_row *find_row(const char *name)
{
    uint32_t i = 0;
    while (strcmp(solvers_order_at(i)->name, name) != 0)
        i++;
    return solvers_order_at(i);
}

/* The rows that take any graph; they order the parts between cut points apart. */
static void test_rows(void)
{
    static const char *const rows[] = {"beam", "exact_order", "serenity"};
    for (uint64_t seed = 1; seed <= GRAPHS; seed++)
        for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            SCOPED(order_view_release) struct order_view *view = small_view(seed, seed % 2);
            uint64_t best = region_least_load(view);
            struct order_report report = run_row(find_row(rows[i]), view);
            CU_ASSERT(report.load_bytes >= best && report.bound_bytes <= best);
            CU_ASSERT(i == 0 || report.status == PLAN_OPTIMAL);
        }
}

/* The integer program, where this build has GLPK. */
static void test_integer_program(void)
{
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        SCOPED(order_view_release) struct order_view *view = small_view(seed, false);
        const struct order_task task = {view, UINT64_MAX, UINT64_MAX, 0, NULL};
        struct order_report report;
        uint32_t permutation[SMALL_MOST_OPERATORS];
        must(order_ask(find_row("order_ilp"), &task, permutation, &report, &error));
        if (report.status == PLAN_UNSUPPORTED) {
            testing_skip("order_ilp: this build is without GLPK");
            return;
        }
        uint64_t best = region_least_load(view);
        CU_ASSERT(report.status == PLAN_OPTIMAL && report.load_bytes == best &&
                  measure(view, permutation) == best);
    }
}

/* What a graph may not have, or not so much of: the integer program and the joint search say so. */
static void test_unsupported(void)
{
    static const char *const rows[] = {"order_ilp", "joint"};
    struct order_view *view = small_view(1, true);
    for (uint64_t seed = 2; !view->first_spared[view->operators]; seed++) {
        order_view_free(view);
        view = small_view(seed, true);
    }
    const struct order_task task = {view, UINT64_MAX, UINT64_MAX, 0, NULL};
    for (int i = 0; i < 2; i++) {
        uint32_t permutation[SMALL_MOST_OPERATORS];
        struct order_report report;
        must(find_row(rows[i])->order(find_row(rows[i]), &task, permutation, &report, &error));
        CU_ASSERT_EQUAL(report.status, PLAN_UNSUPPORTED);
    }
    order_view_free(view);
}

static void test_settings(void)
{
    struct order_row *row;
    SCOPED(order_view_release) struct order_view *view = small_view(7, false);
    uint64_t best = region_least_load(view);
    const struct order_row *exact = find_row("exact_order");
    static const char *const settings[] = {
        "best_first=1", "cuts=0&valleys=0", "width=1&memory=1",
        "lazy_sources=0&lazy=0&forced=0&twins=0&must_live=0&pivots=0"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        must(order_configure(exact, settings[i], &row, &error));
        CU_ASSERT_EQUAL(run_row(row, view).load_bytes, best);
        order_free(row);
    }
    CU_ASSERT_EQUAL(order_configure(exact, "colour=1", &row, &error), STATUS_USAGE);
    must(order_configure(find_row("serenity"), "budget=0&divide=0", &row, &error));
    CU_ASSERT_EQUAL(run_row(row, view).load_bytes, best);
    order_free(row);
}

/* Without time or memory there is an order still, and a bound that holds. */
static void test_limits(void)
{
    SCOPED(order_view_release) struct order_view *view = small_view(7, false);
    uint64_t best = region_least_load(view);
    const struct order_task tasks[] = {{view, 0, UINT64_MAX, 0, NULL},
                                       {view, UINT64_MAX, 0, 0, NULL}};
    for (uint32_t i = 0; i < solvers_order_count(); i++)
        for (int k = 0; k < 2; k++) {
            const struct order_row *row = solvers_order_at(i);
            struct order_report report;
            uint32_t permutation[SMALL_MOST_OPERATORS];
            must(order_ask(row, &tasks[k], permutation, &report, &error));
            if (report.status == PLAN_UNSUPPORTED)
                continue;
            CU_ASSERT_EQUAL(measure(view, permutation), report.load_bytes);
            CU_ASSERT(report.bound_bytes <= best && report.load_bytes >= best);
        }
}

static enum status order_once(const void *input, struct error *fault)
{
    struct order_view *const *view = input;
    const struct order_task task = {*view, UINT64_MAX, UINT64_MAX, 0, NULL};
    uint32_t permutation[SMALL_MOST_OPERATORS];
    struct order_report report;
    for (uint32_t i = 0; i < solvers_order_count(); i++)
        TRY(solvers_order_at(i)->order(solvers_order_at(i), &task, permutation, &report, fault));
    return STATUS_OK;
}

static void test_allocations(void)
{
    for (uint64_t seed = 1; seed <= TESTING_COUNT(6, 2); seed++) {
        SCOPED(order_view_release) struct order_view *view = small_view(seed, seed % 2);
        fail_each(order_once, &view);
    }
}

static const struct test_case cases[] = {
    {"searches and bounds agree with all downsets, whatever the rules", test_all_rules},
    {"rows agree with all downsets", test_rows},
    {"the integer program agrees", test_integer_program},
    {"what is not supported is said", test_unsupported},
    {"settings of the searches", test_settings},
    {"a limit leaves an order and a bound", test_limits},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("solvers/order_exact/small", cases)
