#include "solvers/order_exact/solve.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order_load.h"
#include "solvers/order_exact/cut.h"
#include "solvers/order_exact/decide.h"

enum {
    FIRST_STATES = 4096,
    STATES_FACTOR = 4,
    LOWER_QUESTIONS = 4,
    LOWER_PART = 8,
    FIRST_WIDTH = 4
};

struct asking {
    const struct order_model *model;
    const struct order_effort *effort;
    struct order_answer *answer;
    uint32_t *permutation; /* [operators] of the last yes */
    uint64_t states;       /* for a question */
};

static bool is_proved(const struct asking *asking)
{
    return asking->answer->load_bytes <= asking->answer->bound_bytes;
}

static enum status take_order(struct asking *asking, struct error *error)
{
    struct order_answer *answer = asking->answer;
    uint64_t load;
    TRY(order_load(asking->model->view, asking->permutation, &load, error));
    if (load < answer->load_bytes) {
        answer->load_bytes = load;
        memcpy(answer->permutation, asking->permutation,
               asking->model->operators * sizeof *answer->permutation);
    }
    return STATUS_OK;
}

static enum status ask(struct asking *asking, struct order_question question,
                       enum order_decision *decision, struct error *error)
{
    struct order_answer *answer = asking->answer;
    TRY(order_decide(asking->model, &question, asking->effort, asking->permutation, decision,
                     &answer->states, error));
    if (*decision == ORDER_YES)
        return take_order(asking, error);
    if (*decision == ORDER_NO && question.capacity_bytes >= answer->bound_bytes)
        answer->bound_bytes = question.capacity_bytes + 1;
    return STATUS_OK;
}

static bool is_at_limit(enum order_decision decision)
{
    return decision == ORDER_OUT_OF_TIME || decision == ORDER_OUT_OF_MEMORY;
}

/* Halves what is between the bound and the load as long as that goes quickly. */
static enum status ask_lower(struct asking *asking, enum order_decision *decision,
                             struct error *error)
{
    uint64_t high = asking->answer->load_bytes - 1;
    for (uint32_t i = 0; i < LOWER_QUESTIONS && !is_proved(asking); i++) {
        uint64_t low = asking->answer->bound_bytes;
        if (low >= high)
            break;
        uint64_t middle = low + (high - low) / 2;
        TRY(ask(asking, (struct order_question){middle, asking->states / LOWER_PART}, decision,
                error));
        if (is_at_limit(*decision))
            break;
        if (*decision == ORDER_YES)
            high = asking->answer->load_bytes - 1;
        else if (*decision == ORDER_OUT_OF_STATES)
            high = middle;
    }
    return STATUS_OK;
}

static enum status search_wide(struct asking *asking, struct error *error)
{
    uint64_t bound = 0;
    TRY(order_beam(asking->model, asking->effort, asking->answer, error));
    if (is_proved(asking))
        return STATUS_OK;
    TRY(order_cut_bound(asking->model, asking->effort->deadline_ns, &bound, error));
    if (bound > asking->answer->bound_bytes)
        asking->answer->bound_bytes = bound;
    return STATUS_OK;
}

static enum status ask_all(struct asking *asking, struct error *error)
{
    enum order_decision decision = ORDER_YES;
    bool wide = false;
    while (!is_proved(asking) && !is_at_limit(decision)) {
        TRY(ask(asking, (struct order_question){asking->answer->load_bytes - 1, asking->states},
                &decision, error));
        if (decision != ORDER_OUT_OF_STATES)
            continue;
        if (!wide)
            TRY(search_wide(asking, error));
        else
            TRY(ask_lower(asking, &decision, error));
        if (wide)
            asking->states *= STATES_FACTOR;
        wide = true;
    }
    return STATUS_OK;
}

enum status order_solve(const struct order_model *model, const struct order_effort *effort,
                        struct order_answer *answer, struct error *error)
{
    struct asking asking = {model, effort, answer, NULL, FIRST_STATES};
    struct order_effort narrow = *effort;
    TRY(memory_create(&asking.permutation, model->operators, sizeof(uint32_t), error));
    narrow.width = effort->width < FIRST_WIDTH ? effort->width : FIRST_WIDTH;
    enum status status = order_beam(model, &narrow, answer, error);
    if (!status)
        status = ask_all(&asking, error);
    memory_free(asking.permutation);
    return status;
}
