#include "datasets/executorch/flow.h"

#include <assert.h>
#include <string.h>

static void mark_value(const struct method *method, uint32_t value, bool *written)
{
    if (value < method->values.count)
        written[value] = true;
}

/* Marks the values that an input or an instruction may write: a kernel its first or last argument,
   a delegate any of them. */
static enum status mark_written(struct method *method, bool *written)
{
    for (uint32_t i = 0; i < method->instructions.count; i++) {
        struct method_instruction instruction;
        TRY(method_instruction(method, i, &instruction));
        const struct flatbuffer_vector *arguments = &instruction.arguments;
        uint32_t step =
            instruction.call == METHOD_KERNEL && arguments->count > 2 ? arguments->count - 1 : 1;
        TRY(method_charge(method, 1 + arguments->count / step));
        for (uint32_t a = 0; a < arguments->count; a += step)
            mark_value(method, flatbuffer_element(arguments, a), written);
        if (instruction.call == METHOD_MOVE)
            mark_value(method, instruction.to, written);
    }
    for (uint32_t i = 0; i < method->inputs.count; i++)
        mark_value(method, flatbuffer_element(&method->inputs, i), written);
    return STATUS_OK;
}

static enum status refuse_moves(const struct flow *flow, const struct method *method,
                                struct scratch *scratch)
{
    int64_t *opens, open = 0; /* how many loops begin at a step, less those that end before it */
    TRY(scratch_take(scratch, &opens, (size_t)flow->steps + 1, sizeof *opens, method->file->error));
    for (uint32_t s = 0; s < flow->steps; s++)
        if (flow->target[s] <= s) { /* METHOD_NONE is above all */
            opens[flow->target[s]]++;
            opens[s + 1]--;
        }
    for (uint32_t s = 0; s < flow->steps; s++) {
        struct method_instruction instruction;
        open += opens[s];
        TRY(method_instruction(method, s, &instruction));
        if (open > 0 && instruction.call == METHOD_MOVE)
            return flatbuffer_fail(method->file, instruction.at,
                                   "found a move in a loop, expected it outside");
    }
    return STATUS_OK;
}

static enum status list_jumps(struct flow *flow, struct scratch *scratch, struct error *error)
{
    size_t steps = flow->steps;
    TRY(scratch_take_all(scratch, steps + 1, error, &flow->jump, &flow->use, &flow->needed,
                         &flow->live));
    TRY(scratch_take(scratch, &flow->earlier_jump, steps, sizeof *flow->earlier_jump, error));
    TRY(scratch_take(scratch, &flow->reached, 2 * (steps + 1), sizeof *flow->reached, error));
    memset(flow->jump, 0xff, (steps + 1) * sizeof *flow->jump);
    for (uint32_t s = 0; s < flow->steps; s++)
        if (flow->target[s] != METHOD_NONE) {
            flow->earlier_jump[s] = flow->jump[flow->target[s]];
            flow->jump[flow->target[s]] = s;
        }
    return STATUS_OK;
}

enum status flow_read(struct method *method, struct flow *flow, struct scratch *scratch)
{
    struct error *error = method->file->error;
    uint32_t steps = method->instructions.count;
    bool *written = NULL; /* [values] */
    *flow = (struct flow){.steps = steps};
    TRY(scratch_take_all(scratch, steps, error, &flow->target, &flow->goes_on));
    for (uint32_t i = 0; i < steps; i++) {
        struct method_instruction instruction;
        bool is_false;
        flow->target[i] = METHOD_NONE;
        flow->goes_on[i] = true;
        TRY(method_instruction(method, i, &instruction));
        if (instruction.call != METHOD_JUMP)
            continue;
        if (instruction.to > steps)
            return flatbuffer_fail(method->file, instruction.at,
                                   "found a jump to instruction %u, expected one of 0 to %u",
                                   instruction.to, steps);
        TRY(method_is_false(method, instruction.from, &is_false));
        if (is_false && !written) {
            TRY(scratch_take(scratch, &written, method->values.count, sizeof *written, error));
            TRY(mark_written(method, written));
        }
        flow->target[i] = instruction.to;
        flow->goes_on[i] = !is_false || written[instruction.from];
        flow->has_jumps = true;
    }
    if (!flow->has_jumps)
        return STATUS_OK;
    TRY(list_jumps(flow, scratch, error));
    return refuse_moves(flow, method, scratch);
}

static void reach(struct flow *flow, bool *marked, uint32_t step)
{
    if (!marked[step])
        flow->reached[flow->reached_count++] = step;
    marked[step] = true;
}

/* What was written before a step that needs it matters on all ways there from what writes it. */
static enum status mark_needed(struct flow *flow, struct method *method,
                               const struct flow_use *uses)
{
    for (; uses; uses = uses->before)
        if (uses->what & FLOW_NEEDS)
            reach(flow, flow->needed, uses->step);
    for (uint32_t i = 0; i < flow->reached_count; i++) {
        uint32_t step = flow->reached[i];
        TRY(method_charge(method, 1));
        if (step > 0 && flow->goes_on[step - 1] && !(flow->use[step - 1] & FLOW_WRITES))
            reach(flow, flow->needed, step - 1);
        for (uint32_t jump = flow->jump[step]; jump != METHOD_NONE;
             jump = flow->earlier_jump[jump]) {
            TRY(method_charge(method, 1));
            if (!(flow->use[jump] & FLOW_WRITES))
                reach(flow, flow->needed, jump);
        }
    }
    return STATUS_OK;
}

/* Between the last touch on a way to a step that is live and this step all are needed. */
static enum status mark_live(struct flow *flow, struct method *method, const struct flow_use *uses)
{
    uint32_t first = flow->reached_count;
    for (; uses; uses = uses->before)
        reach(flow, flow->live, uses->step);
    for (uint32_t i = first; i < flow->reached_count; i++) {
        uint32_t step = flow->reached[i];
        TRY(method_charge(method, 1));
        if (step == flow->steps)
            continue;
        if (flow->goes_on[step] && flow->needed[step + 1])
            reach(flow, flow->live, step + 1);
        if (flow->target[step] != METHOD_NONE && flow->needed[flow->target[step]])
            reach(flow, flow->live, flow->target[step]);
    }
    return STATUS_OK;
}

enum status flow_find_live(struct flow *flow, struct method *method, const struct flow_use *uses,
                           uint32_t *lower, uint32_t *upper)
{
    for (uint32_t i = 0; i < flow->reached_count; i++) {
        uint32_t step = flow->reached[i];
        flow->needed[step] = flow->live[step] = false;
        flow->use[step] = 0;
    }
    flow->reached_count = 0;
    for (const struct flow_use *use = uses; use; use = use->before)
        flow->use[use->step] = use->what;
    TRY(mark_needed(flow, method, uses));
    TRY(mark_live(flow, method, uses));
    *lower = UINT32_MAX;
    *upper = 0;
    for (uint32_t i = 0; i < flow->reached_count; i++)
        if (flow->live[flow->reached[i]]) {
            *lower = flow->reached[i] < *lower ? flow->reached[i] : *lower;
            *upper = flow->reached[i] >= *upper ? flow->reached[i] + 1 : *upper;
        }
    assert(!(flow->use[flow->steps] & ~(FLOW_TOUCHES | FLOW_NEEDS)));
    return STATUS_OK;
}
