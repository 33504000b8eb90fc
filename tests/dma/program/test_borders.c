#include "dma/program/borders.h"

#include "core/memory.h"
#include "dma/program/paths.h"
#include "random_transfers.h"
#include "support/fail_each.h"
#include "support/must.h"

enum { GRAPHS = 300, MOST_PATHS = 4000, MOST_VISITS = 100000 };

struct walker {
    const struct transfer_borders *borders;
    bool *crossed; /* [borders] */
    uint32_t before;
};

static enum status walk(void *context, uint32_t r, struct error *failed)
{
    struct walker *walker = context;
    const struct transfer_borders *borders = walker->borders;
    uint32_t found = 0;
    (void)failed;
    for (uint32_t b = borders->into[r]; b < borders->into[r + 1]; b++) {
        CU_ASSERT_EQUAL(borders->border[b].to, r);
        if (borders->border[b].from != walker->before)
            continue;
        walker->crossed[b] = true;
        found++;
    }
    CU_ASSERT_EQUAL(found, r > 0);
    walker->before = r;
    return STATUS_OK;
}

/* A path makes one turn of a loop with an unknown number of them, so it has no second one. */
static bool is_walked(const struct transfer_regions *regions, const struct transfer_border *border)
{
    uint32_t owner = regions->graph->region[regions->region[border->from].graph_region].owner;
    if (border->kind == TRANSFER_TURN && border->from >= border->to)
        return regions->graph->op[owner].trip_count > 1;
    if (border->kind == TRANSFER_LEAVE && regions->region[border->from].owner != GRAPH_NONE)
        return regions->graph->op[regions->region[border->from].owner].trip_count == 0;
    return true;
}

/* What runs after one another on any path is a border, and there are no others. */
static void check_graph(const struct transfer_regions *regions)
{
    SCOPED(transfer_borders_release) struct transfer_borders *borders = NULL;
    SCOPED(transfer_paths_clear) struct transfer_paths paths = {0};
    SCOPED(transfer_path_clear) struct transfer_path path = {0};
    SCOPED(memory_release) bool *crossed = NULL;
    must(transfer_borders_create(regions, &borders, &error));
    must(transfer_paths_create(&paths, regions, &error));
    uint32_t count = borders->into[regions->count];
    must(memory_create(&crossed, count, sizeof *crossed, &error));
    struct walker walker = {.borders = borders, .crossed = crossed};
    const struct transfer_visitor visitor = {walk, &walker, MOST_VISITS};
    for (uint64_t p = 0; p < paths.count && p < MOST_PATHS; p++) {
        walker.before = GRAPH_NONE;
        must(transfer_paths_get(&paths, p, &path, &error));
        must(transfer_paths_follow(regions, path.chosen, &visitor, &error));
    }
    for (uint32_t b = 0; b < count && paths.count <= MOST_PATHS; b++)
        if (random_transfers_reach(regions, borders->border[b].from) &&
            is_walked(regions, &borders->border[b]))
            CU_ASSERT_TRUE(crossed[b]);
    CU_ASSERT_EQUAL(borders->out_of[regions->count], count);
    for (uint32_t r = 0; r < regions->count; r++)
        for (uint32_t l = borders->out_of[r]; l < borders->out_of[r + 1]; l++)
            CU_ASSERT_EQUAL(borders->border[borders->leaving[l]].from, r);
}

static void test_paths(void)
{
    struct random_state random = random_seed(41);
    for (uint32_t i = 0; i < GRAPHS; i++) {
        const struct random_transfers_kind kind = {4 + i % 12, 1 + i % 3, true,
                                                   UINT32_MAX, false,     true};
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        random_transfers_create(&random, &kind, &transfers);
        check_graph(transfers.regions);
    }
}

static enum status create_once(const void *input, struct error *failed)
{
    SCOPED(transfer_borders_release) struct transfer_borders *borders = NULL;
    return transfer_borders_create(input, &borders, failed);
}

static void test_no_memory(void)
{
    struct random_state random = random_seed(42);
    const struct random_transfers_kind kind = {12, 2, true, UINT32_MAX, false, true};
    SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
    random_transfers_create(&random, &kind, &transfers);
    fail_each(create_once, transfers.regions);
}

static const struct test_case cases[] = {
    {"what runs after what on random paths", test_paths},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("dma/transfer_borders", cases)
