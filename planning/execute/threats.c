#include "planning/execute/threats.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/verify/streams/pairs.h"

enum { MOST_LOOKS = 20000000 };

/* Points of the program, in the order in which it reaches them: find_enter is where an operator
   runs or is entered, find_leave where one with regions is left. */
static uint32_t find_enter(uint32_t o)
{
    return 2 * o;
}

static uint32_t find_leave(const struct graph *graph, uint32_t o)
{
    return 2 * graph->op[o].end - 1;
}

/* A use of a tensor at a point of the program and in a region: it is read, or passed on to a
   result. */
struct use {
    uint32_t at, region;
    uint32_t result; /* which is another name of the value from then on, or GRAPH_NONE */
};

struct finder {
    const struct graph *graph;
    const struct placement *placement;
    const struct execute_arena *arena;
    struct execute_threats *threats;
    uint64_t most;
    size_t first_capacity, region_capacity;
    uint32_t *first_use; /* [tensors + 1] */
    struct use *use;
    uint32_t *name; /* [names] under which the value at hand may be read, first that under which it
                       was written */
    uint32_t *from; /* [names] the number of the name from which it was passed on */
    uint32_t *through;   /* [names] the region that passed it on */
    uint32_t *met;       /* [tensors] the last value that had this name */
    uint32_t *taken;     /* [operators] the region that the path at hand takes */
    uint32_t *taken_for; /* [operators] the path, by number, for which taken says so */
    uint32_t *listed; /* [listings] all regions that the path at hand takes; from graph->regions on
                         loops that it passes by */
    uint32_t names, paths, listings, values;
    uint64_t looks;
    struct scratch scratch;
    struct error *error;
};

static enum status take_room(struct finder *finder, uint32_t **numbers, size_t count)
{
    return scratch_take(&finder->scratch, numbers, count, sizeof **numbers, finder->error);
}

static bool lies_on(const struct finder *finder, uint32_t tensor, uint32_t source)
{
    const struct execute_arena *arena = finder->arena;
    uint32_t first = arena->first[tensor], other = arena->first[source];
    uint32_t runs = arena->first[tensor + 1] - first;
    assert(arena->first[tensor] <= arena->first[tensor + 1]);
    if (!execute_arena_has(arena, tensor))
        return true;
    if (!execute_arena_has(arena, source))
        return false;
    for (uint32_t i = 0; i < runs; i++)
        if (arena->run[first + i].first != arena->run[other].first)
            return false;
    return true;
}

static void add_use(struct finder *finder, uint32_t *place, uint32_t tensor, struct use use)
{
    assert(tensor < finder->graph->tensors && use.region < finder->graph->regions);
    if (place)
        finder->use[place[tensor]++] = use;
    else
        finder->first_use[tensor + 1]++;
}

static void add_uses(struct finder *finder, uint32_t *place, struct span tensors, struct use use)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        add_use(finder, place, finder->graph->list[tensors.first + i], use);
}

static void add_all_uses(struct finder *finder, uint32_t *place)
{
    const struct graph *graph = finder->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        uint32_t enter = find_enter(o), leave = find_leave(graph, o);
        assert(enter < leave && leave < 2 * graph->operators);
        add_uses(finder, place, op->inputs, (struct use){enter, op->region, GRAPH_NONE});
        for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++) {
            const struct graph_carried *value = &graph->carried[c];
            add_use(finder, place, value->init, (struct use){enter, op->region, value->argument});
            add_use(finder, place, value->argument, (struct use){leave, op->region, value->result});
            add_use(finder, place, value->yield, (struct use){leave, op->last_region, GRAPH_NONE});
        }
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            for (uint32_t i = 0; i < graph->region[r].yields.count; i++)
                add_use(finder, place, graph->list[graph->region[r].yields.first + i],
                        (struct use){leave, r,
                                     op->loop ? GRAPH_NONE : graph->list[op->outputs.first + i]});
    }
    add_uses(finder, place, graph->region[0].yields,
             (struct use){2 * graph->operators, 0, GRAPH_NONE});
}

/* Finds all names under which the value that is written as the tensor may be read without having
   been copied. */
static void find_names(struct finder *finder, uint32_t tensor)
{
    finder->values++;
    finder->name[0] = tensor;
    finder->names = 1;
    finder->met[tensor] = finder->values;
    for (uint32_t n = 0; n < finder->names; n++) {
        uint32_t name = finder->name[n];
        for (uint32_t u = finder->first_use[name]; u < finder->first_use[name + 1]; u++) {
            uint32_t result = finder->use[u].result;
            assert(result == GRAPH_NONE || result < finder->graph->tensors);
            if (result == GRAPH_NONE || finder->met[result] == finder->values ||
                finder->graph->tensor[result].external || !lies_on(finder, result, tensor))
                continue;
            assert(finder->names < finder->graph->tensors);
            finder->met[result] = finder->values;
            finder->from[finder->names] = n;
            finder->through[finder->names] = finder->use[u].region;
            finder->name[finder->names++] = result;
        }
    }
}

/* Lets the path at hand take the region and those around it; false where it takes another branch of
   one of their operators already. */
static bool take(struct finder *finder, uint32_t region)
{
    const struct graph *graph = finder->graph;
    for (uint32_t r = region; r != 0; r = graph->op[graph->region[r].owner].region) {
        uint32_t o = graph->region[r].owner;
        assert(o < graph->operators && finder->paths > 0);
        finder->looks++;
        if (finder->taken_for[o] == finder->paths) {
            if (finder->taken[o] != r && !graph->op[o].loop)
                return false;
            continue;
        }
        finder->taken_for[o] = finder->paths;
        finder->taken[o] = r;
        assert(finder->listings < graph->regions);
        finder->listed[finder->listings++] = r;
    }
    return true;
}

static uint32_t find_made(const struct graph *graph, uint32_t tensor)
{
    uint32_t producer = graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE)
        return 0;
    bool result = graph->op[producer].first_region != GRAPH_NONE && !graph->op[producer].loop;
    assert(producer < graph->operators);
    return result ? find_leave(graph, producer) : find_enter(producer);
}

static enum status add_threat(struct finder *finder)
{
    struct execute_threats *threats = finder->threats;
    uint32_t first = threats->first[threats->threats];
    assert(finder->listings <= finder->graph->regions);
    TRY(memory_reserve(&threats->region, &finder->region_capacity, (size_t)first + finder->listings,
                       sizeof(uint32_t), finder->error));
    TRY(memory_reserve(&threats->first, &finder->first_capacity, (size_t)threats->threats + 2,
                       sizeof(uint32_t), finder->error));
    assert(first + finder->listings <= finder->region_capacity);
    for (uint32_t i = 0; i < finder->listings; i++)
        threats->region[first + i] = finder->listed[i];
    threats->first[++threats->threats] = first + finder->listings;
    return STATUS_OK;
}

/* Whether some path makes the value at hand in the region `made`, then reaches the write at the
   point `at` in `region`, and reads the value afterwards. The regions that this path takes are
   listed. */
static bool find_reader(struct finder *finder, uint32_t made, uint32_t at, uint32_t region)
{
    for (uint32_t n = finder->names; n-- > 0;) {
        uint32_t name = finder->name[n];
        for (uint32_t u = finder->first_use[name + 1]; u-- > finder->first_use[name];) {
            const struct use *use = &finder->use[u];
            finder->looks++;
            if (use->at < at)
                continue;
            finder->paths++;
            assert(use->region < finder->graph->regions);
            finder->listings = 0;
            bool taken = take(finder, made) && take(finder, region) && take(finder, use->region);
            for (uint32_t from = n; taken && from; from = finder->from[from])
                taken = take(finder, finder->through[from]);
            if (taken)
                return true;
        }
    }
    return false;
}

static bool share_cells(const struct execute_arena *arena, uint32_t a, uint32_t b)
{
    for (uint32_t i = arena->first[a]; i < arena->first[a + 1]; i++)
        for (uint32_t j = arena->first[b]; j < arena->first[b + 1]; j++)
            if (arena->run[i].first < arena->run[j].end && arena->run[j].first < arena->run[i].end)
                return true;
    return false;
}

/* Adds a threat for each tensor that shares bytes with the value and that some path writes before
   it reads the value. The result of an If is written by each of its branches, where it is copied
   into its place. */
static enum status look_at_value(struct finder *finder, uint32_t value)
{
    const struct graph *graph = finder->graph;
    uint32_t maker = graph->tensor[value].producer;
    uint32_t made = maker == GRAPH_NONE ? 0 : graph->op[maker].region;
    assert(execute_arena_has(finder->arena, value));
    bool named = false;
    for (uint32_t w = 0; w < graph->tensors; w++) {
        finder->looks++;
        if (w == value || !execute_arena_has(finder->arena, w) ||
            finder->placement->overwrites[w] == value || !share_cells(finder->arena, value, w))
            continue;
        if (!named)
            find_names(finder, value);
        named = true;
        uint32_t o = graph->tensor[w].producer, at = find_made(graph, w);
        if (o != GRAPH_NONE && at >= find_made(graph, value) && finder->met[w] != finder->values) {
            bool branches = graph_has_branches(graph, o);
            uint32_t r = branches ? graph->op[o].first_region : graph->op[o].region;
            assert(at < 2 * graph->operators);
            for (; r != GRAPH_NONE; r = branches ? graph->region[r].next : GRAPH_NONE)
                if (find_reader(finder, made, at, r))
                    TRY(add_threat(finder));
        }
        if (finder->threats->threats >= finder->most || finder->looks > MOST_LOOKS)
            return STATUS_OK;
    }
    return STATUS_OK;
}

/* A path on which a stream may write bytes that another one still uses. */
static enum status look_at_streams(struct finder *finder)
{
    const struct graph *graph = finder->graph;
    enum stream_pairs_answer answer;
    uint32_t *way;
    if (!graph_has_streams(graph))
        return STATUS_OK;
    TRY(take_room(finder, &way, graph->operators));
    TRY(stream_pairs_decide(graph, finder->placement, way, &answer, finder->error));
    finder->threats->complete = answer != STREAM_PAIRS_UNKNOWN;
    finder->listings = 0;
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->op[o].first_region != GRAPH_NONE) {
            assert(way[o] == GRAPH_NONE || graph->region[way[o]].owner == o);
            assert(finder->listings < graph->regions);
            finder->listed[finder->listings++] = way[o] == GRAPH_NONE ? graph->regions + o : way[o];
        }
    return answer == STREAM_PAIRS_OVERLAP ? add_threat(finder) : STATUS_OK;
}

static enum status create_finder(struct finder *finder)
{
    const struct graph *graph = finder->graph;
    uint32_t tensors = graph->tensors, *place;
    uint32_t **per_tensor[] = {&finder->name, &finder->from,      &finder->through,
                               &finder->met,  &finder->first_use, &place};
    uint32_t **per_operator[] = {&finder->taken, &finder->taken_for};
    for (int i = 0; i < 6; i++)
        TRY(take_room(finder, per_tensor[i], (size_t)tensors + 1));
    for (int i = 0; i < 2; i++)
        TRY(take_room(finder, per_operator[i], graph->operators));
    TRY(take_room(finder, &finder->listed, graph->regions));
    TRY(memory_reserve(&finder->threats->first, &finder->first_capacity, 1, sizeof(uint32_t),
                       finder->error));
    finder->threats->first[0] = 0;

    add_all_uses(finder, NULL);
    for (uint32_t t = 0; t < tensors; t++) {
        finder->first_use[t + 1] += finder->first_use[t];
        place[t] = finder->first_use[t];
    }
    TRY(scratch_take(&finder->scratch, &finder->use, finder->first_use[tensors],
                     sizeof *finder->use, finder->error));
    add_all_uses(finder, place);
    assert(tensors == 0 || place[tensors - 1] == finder->first_use[tensors]);
    return STATUS_OK;
}

enum status execute_threats_create(struct execute_threats *threats,
                                   const struct execute_threatened *threatened, uint64_t most,
                                   struct error *error)
{
    const struct graph *graph = threatened->graph;
    struct finder finder = {.graph = graph,
                            .placement = threatened->placement,
                            .arena = threatened->arena,
                            .threats = threats,
                            .most = most,
                            .error = error};
    *threats = (struct execute_threats){.complete = true};
    enum status status = create_finder(&finder);
    if (!status)
        status = look_at_streams(&finder);
    for (uint32_t t = 0; t < graph->tensors && !status; t++) {
        if (execute_arena_has(finder.arena, t))
            status = look_at_value(&finder, t);
        if (threats->threats >= most || finder.looks > MOST_LOOKS) {
            threats->complete = false;
            break;
        }
    }
    scratch_free(&finder.scratch);
    return status;
}

void execute_threats_free(struct execute_threats *threats)
{
    memory_free_all(threats->first, threats->region);
}
