#include <assert.h>

#include "core/scratch.h"
#include "datasets/generate/generate.h"
#include "datasets/generate/wiring.h"

/* Graphs whose least load over all orders is known: `load` bytes.

   An order is made up that never needs more: each operator reads some of what is live, most of
   which is not read again, and writes what still fits. One operator in the middle reads all that is
   live and writes exactly what is left of the load, so that it needs the load whatever the order.
   Then the operators are stored in another order that their edges allow. */

enum { OPERATORS, LOAD, READS };

static const struct generate_option options[] = {
    [OPERATORS] = {"operators", 100, 4, 10000, NULL, "number of operators"},
    [LOAD] = {"load", 1000, 100, UINT64_C(1) << 40, NULL, "bytes of the least load"},
    [READS] = {"reads", 3, 1, 8, NULL, "most tensors that an operator reads"},
};

enum { MOST_LIVE = 64 };

struct maker {
    const uint64_t *value; /* of the kind's options */
    struct random_state random;
    struct wire *wire; /* [most_wires] */
    uint64_t *bytes;   /* [operators] */
    uint32_t *rank;    /* [operators] the place in which each is stored */
    uint32_t wires, operators;
    uint32_t live[MOST_LIVE], live_count; /* the operators whose tensors are live */
    uint64_t live_bytes;
};

static uint32_t draw(struct maker *maker, uint64_t bound)
{
    return (uint32_t)random_below(&maker->random, bound);
}

/* Lets an operator read a live tensor, which may be its last reader. */
static void read_tensor(struct maker *maker, uint32_t op, uint32_t position, bool last)
{
    uint32_t read = maker->live[position];
    maker->wire[maker->wires++] = (struct wire){read, op, 0};
    if (!last)
        return;
    maker->live_bytes -= maker->bytes[read];
    maker->live[position] = maker->live[--maker->live_count];
}

/* Whether so much is live that operators may no longer have room for an output of a single byte. */
static bool is_full(const struct maker *maker)
{
    return maker->live_bytes > maker->value[LOAD] / 4 * 3;
}

/* Runs an operator, whose output is live beside everything else. It reads some of the live tensors,
   most of which then die; all of them where many are live. The operator in the middle reads all
   that is live; after it comes one that reads its output, and then little is live again. */
static void run(struct maker *maker, uint32_t op)
{
    uint32_t middle = maker->operators / 2;
    uint64_t left = maker->value[LOAD] - maker->live_bytes, bytes;
    bytes = is_full(maker) ? 1 : 1 + random_below(&maker->random, left / 4);
    if (op == middle)
        bytes = left;
    if (op == middle + 1)
        bytes = 1;
    assert(bytes <= left);
    if (op == middle || op == middle + 1) {
        while (maker->live_count)
            read_tensor(maker, op, maker->live_count - 1, true);
    } else {
        bool crowded = maker->live_count > MOST_LIVE / 2 || is_full(maker);
        uint32_t reads = draw(maker, maker->value[READS]) + (crowded || draw(maker, 2));
        for (uint32_t i = 0; i < reads && maker->live_count; i++) {
            uint32_t position = draw(maker, maker->live_count);
            read_tensor(maker, op, position, crowded || draw(maker, 3));
        }
    }
    maker->bytes[op] = bytes;
    maker->live[maker->live_count++] = op;
    maker->live_bytes += bytes;
}

/* Finds another order that the edges allow. At each place any operator that may come next is
   equally likely. */
static enum status shuffle(struct maker *maker, struct scratch *scratch, struct error *error)
{
    uint32_t *waiting, *ready, count = 0;
    TRY(scratch_take_all(scratch, maker->operators, error, &waiting, &ready));
    for (uint32_t w = 0; w < maker->wires; w++)
        waiting[maker->wire[w].to]++;
    for (uint32_t v = 0; v < maker->operators; v++)
        if (!waiting[v])
            ready[count++] = v;
    for (uint32_t place = 0; count > 0; place++) {
        uint32_t position = draw(maker, count), v = ready[position];
        ready[position] = ready[--count];
        maker->rank[v] = place;
        for (uint32_t w = 0; w < maker->wires; w++)
            if (maker->wire[w].from == v && --waiting[maker->wire[w].to] == 0)
                ready[count++] = maker->wire[w].to;
    }
    return STATUS_OK;
}

static enum status generate_known_orders(const struct generate_settings *settings,
                                         struct graph *graph, struct error *error)
{
    const uint64_t *value = settings->value;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct maker maker = {.value = value,
                          .random = random_seed(settings->seed),
                          .operators = (uint32_t)value[OPERATORS]};
    size_t most_wires = (size_t)maker.operators * value[READS] + 2 * (size_t)MOST_LIVE;
    uint64_t *bytes;
    TRY(scratch_take(&scratch, &maker.wire, most_wires, sizeof *maker.wire, error));
    TRY(scratch_take_all(&scratch, maker.operators, error, &maker.bytes, &maker.rank, &bytes));
    for (uint32_t v = 0; v < maker.operators; v++)
        run(&maker, v);
    TRY(shuffle(&maker, &scratch, error));
    for (uint32_t v = 0; v < maker.operators; v++)
        bytes[maker.rank[v]] = maker.bytes[v];
    for (uint32_t w = 0; w < maker.wires; w++) {
        maker.wire[w].from = maker.rank[maker.wire[w].from];
        maker.wire[w].to = maker.rank[maker.wire[w].to];
    }
    return wiring_build(&(struct wiring){maker.wire, bytes, maker.wires, maker.operators}, graph,
                        error);
}

const struct generate_kind generate_known_order = {
    .name = "known_order",
    .title = "a graph with a known least load over all orders of its operators",
    GENERATE_OPTIONS(options),
    .graph = generate_known_orders,
};
