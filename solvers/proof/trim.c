#include "solvers/proof/trim.h"

#include <assert.h>

struct proof_step proof_step_read(const struct exact_log *log, size_t *at)
{
    struct proof_step step = {.rule = (enum exact_rule)log->number[*at],
                              .number = log->number + *at + 1,
                              .literals = 1,
                              .has_section = true};
    switch (step.rule) {
    case EXACT_STEP_CLAUSE:
        step.literals = 0;
        step.literal_at = 1;
        step.has_section = false;
        break;
    case EXACT_STEP_WEAKEN:
        step.literals = 2;
        step.has_section = false;
        break;
    case EXACT_STEP_OVERLOAD:
        step.literals = 0;
        step.literal_at = 3;
        break;
    case EXACT_STEP_EDGE:
        step.literal_at = 3;
        break;
    case EXACT_STEP_HANDOVER:
    case EXACT_STEP_HANDOVER_DOWN:
        step.literals = 0;
        step.literal_at = 6;
        break;
    case EXACT_STEP_CHAIN:
    case EXACT_STEP_HANG:
        step.literals = (size_t)step.number[2];
        step.literal_at = 3;
        break;
    default:
        assert(step.rule == EXACT_STEP_PASS || step.rule == EXACT_STEP_EXCLUDE ||
               step.rule == EXACT_STEP_TWINS);
        step.has_section = false;
        break;
    }
    *at += 1 + step.literal_at + step.literals;
    assert(*at <= log->numbers);
    return step;
}

size_t proof_step_first(const struct exact_log *log, size_t clause, size_t *end)
{
    size_t begin = log->clause[clause];
    assert(clause < log->clauses && begin < log->numbers);
    *end = clause + 1 < log->clauses ? log->clause[clause + 1] : log->numbers;
    return begin + 1 + (size_t)log->number[begin];
}

enum status proof_trim_create(const struct exact_learn *learn, struct scratch *scratch,
                              struct proof_trim *trim, struct error *error)
{
    const struct exact_log *log = learn->log;
    uint32_t count = 0;
    *trim = (struct proof_trim){.kept = 0};
    TRY(scratch_take(scratch, &trim->choice, learn->variables, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &trim->clique, learn->model->sections, sizeof(uint32_t), error));
    TRY(scratch_take_all(scratch, log->clauses, error, &trim->clause, &trim->last_use));
    assert(log->clauses > 0 && !log->number[log->clause[log->clauses - 1]]);
    trim->clause[log->clauses - 1] = 1;
    for (size_t c = log->clauses; c-- > 0;) {
        size_t end, at = proof_step_first(log, c, &end);
        if (!trim->clause[c])
            continue;
        for (size_t i = log->clause[c] + 1; i < at; i++)
            trim->choice[log->number[i] / 2] = 1;
        while (at < end) {
            struct proof_step step = proof_step_read(log, &at);
            for (size_t i = 0; i < step.literals; i++)
                trim->choice[step.number[step.literal_at + i] / 2] = 1;
            if (step.has_section)
                trim->clique[step.number[0]] = 1;
            if (proof_step_hands_over(&step))
                trim->clique[step.number[3]] = 1;
            if (step.rule != EXACT_STEP_CLAUSE)
                continue;
            assert((size_t)step.number[0] < c);
            if (!trim->clause[step.number[0]])
                trim->last_use[step.number[0]] = (uint32_t)c;
            trim->clause[step.number[0]] = 1;
        }
    }
    for (size_t c = 0; c < log->clauses; c++)
        if (trim->clause[c])
            trim->clause[c] = ++count;
    trim->kept = count;
    assert(trim->clause[log->clauses - 1] == count);
    return STATUS_OK;
}
