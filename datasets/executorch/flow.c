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

enum status flow_read(struct method *method, struct flow *flow, struct scratch *scratch)
{
    struct error *error = method->file->error;
    uint32_t steps = method->instructions.count;
    bool *written = NULL; /* [values] */
    *flow = (struct flow){.steps = steps};
    TRY(scratch_take(scratch, &flow->target, steps, sizeof *flow->target, error));
    TRY(scratch_take(scratch, &flow->goes_on, steps, sizeof *flow->goes_on, error));
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
    return flow->has_jumps ? refuse_moves(flow, method, scratch) : STATUS_OK;
}

/* Marks what has been written on some way to each step, before it. Whether something changed. */
static bool pass_forward(const struct flow *flow, const uint8_t *use, bool *written)
{
    bool changed = false;
    for (uint32_t s = 0; s < flow->steps; s++) {
        if (!written[s] && !use[s])
            continue;
        uint32_t target = flow->target[s];
        if (target != METHOD_NONE && !written[target])
            changed = written[target] = true;
        if (flow->goes_on[s] && !written[s + 1])
            changed = written[s + 1] = true;
    }
    return changed;
}

static bool is_needed_after(const struct flow *flow, const bool *needed, uint32_t step)
{
    uint32_t target = flow->target[step];
    return (target != METHOD_NONE && needed[target]) || (flow->goes_on[step] && needed[step + 1]);
}

/* Marks what is needed on some way from each step, by it or later. Whether something changed. */
static bool pass_backward(const struct flow *flow, const uint8_t *use, bool *needed)
{
    bool changed = false;
    for (uint32_t s = flow->steps; s-- > 0;) {
        bool is_needed =
            use[s] & FLOW_NEEDS || (!(use[s] & FLOW_WRITES) && is_needed_after(flow, needed, s));
        changed |= is_needed && !needed[s];
        needed[s] |= is_needed;
    }
    return changed;
}

enum status flow_find_live(const struct flow *flow, struct method *method, const uint8_t *use,
                           bool *work, bool *live)
{
    bool *written = work, *needed = work + flow->steps + 1;
    assert(!(use[flow->steps] & ~(FLOW_TOUCHES | FLOW_NEEDS)));
    memset(work, 0, 2 * ((size_t)flow->steps + 1));
    do
        TRY(method_charge(method, flow->steps));
    while (pass_forward(flow, use, written));
    needed[flow->steps] = use[flow->steps] & FLOW_NEEDS;
    do
        TRY(method_charge(method, flow->steps));
    while (pass_backward(flow, use, needed));
    for (uint32_t s = 0; s < flow->steps; s++)
        live[s] = use[s] || (written[s] && needed[s]);
    return STATUS_OK;
}
