#include "solvers/order_exact/solve.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order_load.h"
#include "solvers/order_exact/bounds/cut.h"
#include "solvers/order_exact/rules.h"
#include "solvers/order_exact/search/decide.h"
#include "solvers/order_exact/search/pivots.h"
#include "solvers/order_exact/search/search.h"

enum {
    FIRST_STATES = 4096,
    STATES_FACTOR = 4,
    LOWER_PART = 16,  /* a question about a lower load gets a round's states / this */
    PIVOTS_PART = 4,  /* sets of pivots get a round's states / this */
    FAILURES = 2,     /* questions about a lower load that may fail in a round */
    FIRST_STEP = 8,   /* the first such question goes up by (load - bound) / this */
    NARROW_WIDTH = 4, /* width of the first beam */
    WIDE_ROUND = 3,   /* from this round on every other one has a wider beam */
    WIDE_FACTOR = 4,
    MEMORY_PARTS = 4, /* such questions, and pivots, get the memory / this each */
};

struct asking {
    const struct order_model *model;
    const struct order_effort *effort;
    struct order_effort part_effort; /* of the lower questions and the pivots */
    struct order_answer *answer;
    struct order_decider *decider; /* of the main question: is there a better order? */
    struct order_pivots *pivots;   /* NULL before the first round is over */
    uint32_t *permutation;         /* [operators] of the last yes */
    uint64_t states;               /* that the main question may expand in this round */
    uint64_t step_bytes; /* from the bound to the next lower question; 0: none asked yet */
    uint32_t round, width;
};

static bool is_proved(const struct asking *asking)
{
    return asking->answer->load_bytes <= asking->answer->bound_bytes;
}

static enum status ask(struct asking *asking, struct order_decider *decider,
                       struct order_question question, enum order_decision *decision,
                       struct error *error)
{
    struct order_answer *answer = asking->answer;
    uint64_t before = order_decider_states(decider), load;
    TRY(order_decider_ask(decider, &question, asking->permutation, decision, error));
    answer->states += order_decider_states(decider) - before;
    assert(order_decider_states(decider) >= before);
    if (*decision == ORDER_NO && question.capacity_bytes >= answer->bound_bytes)
        answer->bound_bytes = question.capacity_bytes + 1;
    if (*decision != ORDER_YES)
        return STATUS_OK;
    TRY(order_load(asking->model->view, asking->permutation, &load, error));
    assert(load <= question.capacity_bytes);
    if (load < answer->load_bytes) {
        answer->load_bytes = load;
        memcpy(answer->permutation, asking->permutation,
               asking->model->operators * sizeof *answer->permutation);
    }
    return STATUS_OK;
}

static bool is_over(const struct asking *asking)
{
    return is_proved(asking) || !clock_left_ns(asking->effort->deadline_ns);
}

/* Raises the bound by asking for orders of far lower loads: that there is none is found out sooner
   than for the main question. Goes up from the bound by steps that grow with each no and shrink
   where a question is too hard. */
static enum status climb(struct asking *asking, struct error *error)
{
    SCOPED(order_decider_release) struct order_decider *decider = NULL;
    TRY(order_decider_create(asking->model, &asking->part_effort, &decider, error));
    const struct order_answer *answer = asking->answer;
    for (uint32_t failures = 0; failures < FAILURES && !is_over(asking);) {
        enum order_decision decision;
        assert(answer->bound_bytes < answer->load_bytes);
        uint64_t room = answer->load_bytes - 1 - answer->bound_bytes;
        if (!asking->step_bytes)
            asking->step_bytes = room / FIRST_STEP;
        uint64_t step = asking->step_bytes < room ? asking->step_bytes : room;
        assert(answer->bound_bytes + step < answer->load_bytes);
        struct order_question question = {answer->bound_bytes + step, asking->states / LOWER_PART};
        TRY(ask(asking, decider, question, &decision, error));
        failures += decision != ORDER_NO;
        asking->step_bytes = decision == ORDER_NO ? 2 * step + 1 : step / 2;
    }
    return STATUS_OK;
}

/* Runs a beam for each of the two rankings: by load, and by live bytes alone. */
static enum status search_wide(struct asking *asking, uint32_t width, struct error *error)
{
    struct order_effort effort = *asking->effort;
    effort.width = width;
    for (int i = 0; i < 2 && !is_over(asking); i++) {
        effort.fewest_live = i;
        TRY(order_beam(asking->model, &effort, asking->answer, error));
    }
    return STATUS_OK;
}

/* What is done between two rounds of the main question: orders by rule, beams, pivots, and
   questions about lower loads. */
static enum status look_elsewhere(struct asking *asking, struct error *error)
{
    const struct order_model *model = asking->model;
    uint64_t deadline_ns = asking->effort->deadline_ns, bound = 0;
    uint32_t round = asking->round++;
    assert(!is_proved(asking) && asking->width > 0);
    if (!round) {
        TRY(order_rules_try(model->view, deadline_ns, asking->answer, error));
        TRY(search_wide(asking, asking->width, error));
        if (!is_proved(asking))
            TRY(order_cut_bound(model, deadline_ns, &bound, error));
        assert(bound <= asking->answer->load_bytes);
        if (bound > asking->answer->bound_bytes)
            asking->answer->bound_bytes = bound;
    }
    if (model->rules & ORDER_PIVOTS && !is_over(asking)) {
        if (!asking->pivots)
            TRY(order_pivots_create(model, &asking->part_effort, &asking->pivots, error));
        TRY(order_pivots_run(asking->pivots, asking->states / PIVOTS_PART, asking->answer, error));
    }
    if (!round)
        return STATUS_OK;
    if (round >= WIDE_ROUND && round % 2 == WIDE_ROUND % 2) {
        asking->width =
            asking->width < UINT32_MAX / WIDE_FACTOR ? asking->width * WIDE_FACTOR : UINT32_MAX;
        TRY(search_wide(asking, asking->width, error));
    }
    if (!is_over(asking) && (!asking->pivots || order_pivots_are_useless(asking->pivots)))
        TRY(climb(asking, error));
    asking->states *= STATES_FACTOR;
    return STATUS_OK;
}

static void free_asking(struct asking *asking)
{
    order_decider_free(asking->decider);
    order_pivots_free(asking->pivots);
    memory_free(asking->permutation);
}

enum status order_solve(const struct order_model *model, const struct order_effort *effort,
                        struct order_answer *answer, struct error *error)
{
    struct order_effort narrow = *effort, main_effort = *effort;
    SCOPED(free_asking)
    struct asking asking = {.model = model,
                            .effort = effort,
                            .part_effort = *effort,
                            .answer = answer,
                            .states = FIRST_STATES,
                            .width = effort->width};
    enum order_decision decision = ORDER_YES;
    narrow.width = effort->width < NARROW_WIDTH ? effort->width : NARROW_WIDTH;
    asking.part_effort.most_bytes = effort->most_bytes / MEMORY_PARTS;
    main_effort.most_bytes -= 2 * asking.part_effort.most_bytes;
    TRY(memory_create(&asking.permutation, model->operators, sizeof(uint32_t), error));
    TRY(order_decider_create(model, &main_effort, &asking.decider, error));
    TRY(order_beam(model, &narrow, answer, error));
    while (!is_proved(&asking) && decision != ORDER_OUT_OF_TIME &&
           decision != ORDER_OUT_OF_MEMORY) {
        struct order_question question = {answer->load_bytes - 1, asking.states};
        TRY(ask(&asking, asking.decider, question, &decision, error));
        if (decision == ORDER_OUT_OF_STATES)
            TRY(look_elsewhere(&asking, error));
    }
    return STATUS_OK;
}
