#include "dma/compose.h"

#include "core/checked.h"
#include "core/memory.h"

/* Of several times one after another. */
struct sum {
    double expected_ns;
    uint64_t worst_ns;
};

struct composer {
    const struct transfer_regions *regions;
    const struct hardware *hardware;
    const struct compose_region *region;
    const uint32_t *chosen;
    struct sum *of;    /* [graph regions] without entering the first transfer region */
    uint32_t *last_of; /* [graph regions] last transfer region */
    bool overflow;
};

static void add_times(struct composer *composer, struct sum *sum, const struct sum *more,
                      uint64_t times)
{
    uint64_t product;
    bool fits = checked_multiply(more->worst_ns, times, &product) &&
                checked_add(sum->worst_ns, product, &sum->worst_ns);
    composer->overflow = composer->overflow || !fits;
    sum->expected_ns += more->expected_ns * (double)times;
}

static struct sum make_sum(uint64_t ns)
{
    return (struct sum){(double)ns, ns};
}

/* What it takes to enter a region after another one. */
static struct sum enter(const struct composer *composer, uint32_t region, uint32_t from)
{
    const struct compose_region *entered = &composer->region[region];
    if (!entered->prefetched)
        return make_sum(0);
    uint64_t left_ns = composer->region[from].left_ns;
    uint64_t lead_ns = hardware_contend(composer->hardware, entered->lead_ns, left_ns);
    return make_sum(lead_ns > left_ns ? lead_ns : left_ns);
}

/* Of the branches that may be taken the expected time and the worst, up to and with entering what
   follows. */
static void add_branches(struct composer *composer, uint32_t before, struct sum *sum)
{
    const struct transfer_regions *regions = composer->regions;
    uint32_t owner = regions->region[before].owner, next = regions->region[before].next;
    struct sum all = {0};
    for (uint32_t g = regions->graph->operator[owner].first_region; g != GRAPH_NONE;
         g = regions->graph->region[g].next) {
        struct sum branch = composer->of[g];
        struct sum entered = enter(composer, regions->first_of[g], before);
        struct sum left = enter(composer, next, composer->last_of[g]);
        if (composer->chosen && composer->chosen[owner] != g)
            continue;
        add_times(composer, &branch, &entered, 1);
        add_times(composer, &branch, &left, 1);
        all.expected_ns += branch.expected_ns * (composer->chosen ? 1 : regions->probability[g]);
        all.worst_ns = branch.worst_ns > all.worst_ns ? branch.worst_ns : all.worst_ns;
    }
    add_times(composer, sum, &all, 1);
}

/* A turn runs the loop's regions one after another, from entering the second on; *last is the
   last transfer region of the turn. */
static struct sum compose_turn(struct composer *composer, uint32_t owner, uint32_t *last)
{
    const struct transfer_regions *regions = composer->regions;
    uint32_t first = regions->graph->operator[owner].first_region;
    struct sum turn = {0};
    for (uint32_t g = first; g != GRAPH_NONE; g = regions->graph->region[g].next) {
        struct sum entered = make_sum(0);
        if (g != first)
            entered = enter(composer, regions->first_of[g], *last);
        add_times(composer, &turn, &entered, 1);
        add_times(composer, &turn, &composer->of[g], 1);
        *last = composer->last_of[g];
    }
    return turn;
}

static void add_loop(struct composer *composer, uint32_t before, struct sum *sum)
{
    const struct transfer_regions *regions = composer->regions;
    uint32_t owner = regions->region[before].owner, last = before;
    const struct graph_operator *loop = &regions->graph->operator[owner];
    uint64_t turns = loop->trip_count < 0 ? 1 : (uint64_t)loop->trip_count;
    uint32_t first = regions->first_of[loop->first_region];
    struct sum turn = compose_turn(composer, owner, &last);
    struct sum entered = enter(composer, first, before), again = enter(composer, first, last);
    if (turns) {
        add_times(composer, sum, &entered, 1);
        add_times(composer, sum, &again, turns - 1);
        add_times(composer, sum, &turn, turns);
    }
    struct sum left = enter(composer, regions->region[before].next, turns ? last : before);
    add_times(composer, sum, &left, 1);
}

static void add_next(struct composer *composer, uint32_t before, struct sum *sum)
{
    struct sum entered = enter(composer, composer->regions->region[before].next, before);
    add_times(composer, sum, &entered, 1);
}

static void compose_graph_region(struct composer *composer, uint32_t g)
{
    const struct transfer_regions *regions = composer->regions;
    struct sum sum = {0};
    for (uint32_t r = regions->first_of[g]; r != GRAPH_NONE; r = regions->region[r].next) {
        uint32_t owner = regions->region[r].owner;
        struct sum rest = make_sum(composer->region[r].rest_ns);
        add_times(composer, &sum, &rest, 1);
        if (owner != GRAPH_NONE && regions->graph->operator[owner].loop)
            add_loop(composer, r, &sum);
        else if (owner != GRAPH_NONE)
            add_branches(composer, r, &sum);
        else if (regions->region[r].next != GRAPH_NONE)
            add_next(composer, r, &sum);
        composer->last_of[g] = r;
    }
    composer->of[g] = sum;
}

/* A graph's region has a higher number than what holds it. */
static enum status compose(struct composer *composer, struct transfer_times *times,
                           struct error *error)
{
    for (uint32_t g = composer->regions->graph->regions; g-- > 0;)
        compose_graph_region(composer, g);
    const struct sum *whole = &composer->of[0];
    if (composer->overflow || whole->worst_ns > INT64_MAX)
        return error_set(error, STATUS_BAD_INPUT, "the times add up to 2^63 ns or more");
    times->worst_ns = whole->worst_ns;
    times->expected_ns = (uint64_t)(whole->expected_ns + 0.5);
    if (composer->chosen || times->expected_ns > whole->worst_ns)
        times->expected_ns = whole->worst_ns;
    return STATUS_OK;
}

enum status compose_times(const struct transfer_regions *regions, const struct hardware *hardware,
                          const struct compose_region *region, const uint32_t *chosen,
                          struct transfer_times *times, struct error *error)
{
    struct composer composer = {
        .regions = regions, .hardware = hardware, .region = region, .chosen = chosen};
    uint32_t nested = regions->graph->regions;
    enum status status;
    TRY_OR_DONE(status, memory_create(&composer.of, nested, sizeof *composer.of, error));
    TRY_OR_DONE(status, memory_create(&composer.last_of, nested, sizeof *composer.last_of, error));
    TRY_OR_DONE(status, compose(&composer, times, error));
done:
    memory_free(composer.of);
    memory_free(composer.last_of);
    return status;
}
