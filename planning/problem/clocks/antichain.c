#include "planning/problem/clocks/antichain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "planning/problem/clocks/chain_flow.h"

/* The members are the buffers on the minimal cut of the flow. Together they have as many bytes as
   the flow leaves unfed. */
static enum status collect_members(const struct chain_flow *flow, const uint64_t *size,
                                   struct antichain *antichain, struct error *error)
{
    const struct precedence *precedence = flow->precedence;
    TRY(memory_create(&antichain->member, precedence->buffers, sizeof(uint32_t), error));
    for (uint32_t b = 0; b < precedence->buffers; b++)
        if (size[b] && chain_flow_is_cut(flow, b)) {
            antichain->member[antichain->count++] = b;
            antichain->bytes += size[b];
        }
    return STATUS_OK;
}

static enum status check_members(const struct precedence *precedence,
                                 const struct antichain *antichain, struct error *error)
{
    for (uint32_t i = 0; i < antichain->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (!precedence_conflict(precedence, antichain->member[i], antichain->member[j]))
                return error_set(error, STATUS_INTERNAL,
                                 "found buffers %u and %u, which do not conflict, in an antichain",
                                 antichain->member[j], antichain->member[i]);
    return STATUS_OK;
}

enum status antichain_find(const struct precedence *precedence, const uint64_t *size,
                           struct antichain *antichain, struct error *error)
{
    struct chain_flow flow;
    enum status status;
    *antichain = (struct antichain){0};
    TRY_OR_DONE(status, chain_flow_maximise(precedence, size, &flow, error));
    TRY_OR_DONE(status, collect_members(&flow, size, antichain, error));
    TRY_OR_DONE(status, check_members(precedence, antichain, error));
    assert(antichain->bytes == flow.unfed_bytes);
done:
    chain_flow_clear(&flow);
    if (status)
        antichain_clear(antichain);
    return status;
}

void antichain_clear(struct antichain *antichain)
{
    memory_free(antichain->member);
    *antichain = (struct antichain){0};
}
