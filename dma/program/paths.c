#include "dma/program/paths.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"

/* The number of paths through an operator with regions. The branches of an If exclude each other,
   so their paths add up; the regions of a loop run one after another, so their paths multiply. */
static uint64_t count_owner(const struct transfer_paths *paths, const struct graph_operator *owner)
{
    const struct graph *graph = paths->regions->graph;
    uint64_t count = owner->loop ? 1 : 0;
    for (uint32_t g = owner->first_region; g != GRAPH_NONE; g = graph->region[g].next) {
        uint64_t more = paths->of_region[g];
        bool fits =
            owner->loop ? checked_multiply(count, more, &count) : checked_add(count, more, &count);
        count = fits ? count : UINT64_MAX;
    }
    return count;
}

enum status transfer_paths_create(struct transfer_paths *paths,
                                  const struct transfer_regions *regions, struct error *error)
{
    const struct graph *graph = regions->graph;
    *paths = (struct transfer_paths){.regions = regions};
    TRY(memory_create(&paths->of_region, graph->regions, sizeof *paths->of_region, error));
    for (uint32_t g = 0; g < graph->regions; g++)
        paths->of_region[g] = 1;
    for (uint32_t o = graph->operators; o-- > 0;) {
        uint64_t *around = &paths->of_region[graph->op[o].region];
        if (graph->op[o].first_region == GRAPH_NONE)
            continue;
        if (!checked_multiply(*around, count_owner(paths, &graph->op[o]), around))
            *around = UINT64_MAX;
    }
    paths->count = paths->of_region[0];
    return STATUS_OK;
}

void transfer_paths_clear(struct transfer_paths *paths)
{
    memory_free(paths->of_region);
    *paths = (struct transfer_paths){0};
}

void transfer_path_clear(struct transfer_path *path)
{
    memory_free(path->chosen);
    text_free(&path->name);
    *path = (struct transfer_path){0};
}

static enum status begin_path(const struct transfer_regions *regions, struct transfer_path *path,
                              struct error *error)
{
    const struct graph *graph = regions->graph;
    if (!path->chosen)
        TRY(memory_create(&path->chosen, graph->operators, sizeof *path->chosen, error));
    for (uint32_t o = 0; o < graph->operators; o++)
        path->chosen[o] = graph->op[o].first_region;
    path->probability = 1;
    text_free(&path->name);
    return STATUS_OK;
}

static void choose(const struct transfer_regions *regions, struct transfer_path *path, uint32_t o,
                   uint32_t branch)
{
    const struct graph *graph = regions->graph;
    assert(graph->region[branch].owner == o);
    path->chosen[o] = branch;
    path->probability *= regions->probability[branch];
    text_append(&path->name, "%s%s=%s", path->name.length ? " " : "",
                graph_label(graph, graph->op[o].name),
                graph_label(graph, graph->region[branch].name));
}

/* Fills in the choices in region g of the graph for the path with that number, which is below the
   number of paths through the region. It is a number in a mixed radix: it has one digit for each
   control-flow operator of the region, the last digit for the first operator. */
static void choose_region(const struct transfer_paths *paths, uint32_t g, uint64_t number,
                          struct transfer_path *path)
{
    const struct graph *graph = paths->regions->graph;
    assert(number < paths->of_region[g]);
    for (uint32_t o = graph->region[g].begin; o < graph->region[g].end; o = graph->op[o].end) {
        const struct graph_operator *owner = &graph->op[o];
        if (owner->first_region == GRAPH_NONE)
            continue;
        uint64_t base = count_owner(paths, owner), digit = number % base;
        number /= base;
        uint32_t branch = owner->first_region;
        for (; owner->loop && branch != GRAPH_NONE; branch = graph->region[branch].next) {
            choose_region(paths, branch, digit % paths->of_region[branch], path);
            digit /= paths->of_region[branch];
        }
        if (owner->loop)
            continue;
        for (; digit >= paths->of_region[branch]; branch = graph->region[branch].next)
            digit -= paths->of_region[branch];
        choose(paths->regions, path, o, branch);
        choose_region(paths, branch, digit, path);
    }
}

enum status transfer_paths_get(const struct transfer_paths *paths, uint64_t number,
                               struct transfer_path *path, struct error *error)
{
    assert(number < paths->count);
    TRY(begin_path(paths->regions, path, error));
    choose_region(paths, 0, number, path);
    return text_check(&path->name, error);
}

uint32_t transfer_paths_likeliest_branch(const struct transfer_regions *regions, uint32_t owner)
{
    uint32_t first = regions->graph->op[owner].first_region, likeliest = first;
    for (uint32_t g = first; g != GRAPH_NONE; g = regions->graph->region[g].next)
        if (regions->probability[g] > regions->probability[likeliest])
            likeliest = g;
    return likeliest;
}

static void choose_likeliest(const struct transfer_regions *regions, uint32_t g,
                             struct transfer_path *path)
{
    const struct graph *graph = regions->graph;
    for (uint32_t o = graph->region[g].begin; o < graph->region[g].end; o = graph->op[o].end) {
        const struct graph_operator *owner = &graph->op[o];
        for (uint32_t body = owner->first_region; owner->loop && body != GRAPH_NONE;
             body = graph->region[body].next)
            choose_likeliest(regions, body, path);
        if (owner->loop || owner->first_region == GRAPH_NONE)
            continue;
        choose(regions, path, o, transfer_paths_likeliest_branch(regions, o));
        choose_likeliest(regions, path->chosen[o], path);
    }
}

enum status transfer_paths_likeliest(const struct transfer_regions *regions,
                                     struct transfer_path *path, struct error *error)
{
    TRY(begin_path(regions, path, error));
    choose_likeliest(regions, 0, path);
    return text_check(&path->name, error);
}

uint64_t transfer_paths_turns(const struct graph_operator *loop)
{
    assert(loop->loop);
    return loop->trip_count < 0 ? 1 : (uint64_t)loop->trip_count;
}

struct follower {
    const struct transfer_regions *regions;
    const uint32_t *chosen;
    const struct transfer_visitor *visitor;
    uint64_t visits;
    struct error *error;
};

static enum status follow_graph_region(struct follower *follower, uint32_t g)
{
    const struct transfer_regions *regions = follower->regions;
    const struct transfer_visitor *visitor = follower->visitor;
    for (uint32_t r = regions->first_of[g]; r != GRAPH_NONE; r = regions->region[r].next) {
        uint32_t o = regions->region[r].owner;
        if (follower->visits++ == visitor->most_visits)
            return error_set(follower->error, STATUS_LIMIT,
                             "a path of more than %llu regions, with the turns of its loops",
                             (unsigned long long)visitor->most_visits);
        TRY(visitor->visit(visitor->context, r, follower->error));
        if (o == GRAPH_NONE)
            continue;
        const struct graph_operator *owner = &regions->graph->op[o];
        if (!owner->loop)
            TRY(follow_graph_region(follower, follower->chosen[o]));
        uint64_t turns = owner->loop ? transfer_paths_turns(owner) : 0;
        for (uint64_t turn = 0; turn < turns; turn++)
            for (uint32_t b = owner->first_region; b != GRAPH_NONE;
                 b = regions->graph->region[b].next)
                TRY(follow_graph_region(follower, b));
    }
    return STATUS_OK;
}

enum status transfer_paths_follow(const struct transfer_regions *regions, const uint32_t *chosen,
                                  const struct transfer_visitor *visitor, struct error *error)
{
    struct follower follower = {
        .regions = regions, .chosen = chosen, .visitor = visitor, .error = error};
    return follow_graph_region(&follower, 0);
}
