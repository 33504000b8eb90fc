#include "planning/policies/choices.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/liveness/same_values.h"
#include "planning/liveness/shared_places.h"
#include "planning/problem/bounds.h"

enum {
    MOST_SINGLE = 8, /* options that are tried one by one */
    MOST_TRIED = 4,  /* of which every combination is */
};

/* Which way is planned. */
struct way {
    uint8_t *stays; /* [tensors] of enum result_stay, or 0 */
    bool *unplaced; /* [tensors] */
    bool apart;
};

struct search {
    const struct graph *graph;
    const struct level_planner *planner;
    struct placement *placement; /* the best so far */
    struct error *error;
    enum choices_results results;
    struct way way;
    uint32_t *same;       /* [tensors] */
    uint32_t *option;     /* [options] tensors that may be placed in two ways */
    uint8_t *staying;     /* [options] how they stay, 0 for those that may be unplaced */
    uint32_t all;         /* options; in the first way those behind the next number are copied, */
    uint32_t options;     /* as they would put two values at one place */
    uint32_t passing;     /* the first ones, of which a branch passes something on */
    uint64_t least_bytes; /* no way has a plan below it */
    bool least_is_known;
    uint64_t bound_bytes; /* the least bound of all ways that were tried */
    uint32_t tried;
    bool proved; /* all that were tried are planned as well as they can be */
};

static bool is_result(const struct graph *graph, uint32_t tensor)
{
    uint32_t producer = graph->tensor[tensor].producer;
    return producer != GRAPH_NONE && graph->op[producer].first_region != GRAPH_NONE &&
           !graph->op[producer].loop && !graph->tensor[tensor].external;
}

static bool may_be_unplaced(const struct search *search, uint32_t tensor)
{
    return search->results == CHOICES_EITHER && is_result(search->graph, tensor);
}

static void add_option(struct search *search, uint32_t tensor, unsigned staying)
{
    search->staying[search->options] = (uint8_t)staying;
    search->option[search->options++] = tensor;
    search->all = search->options;
}

static bool is_listed(const struct graph *graph, struct span list, uint32_t tensor)
{
    for (uint32_t i = 0; i < list.count; i++)
        if (graph->list[list.first + i] == tensor)
            return true;
    return false;
}

static bool is_yielded(const struct graph *graph, uint32_t loop, uint32_t tensor)
{
    for (uint32_t r = graph->op[loop].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        if (is_listed(graph, graph->region[r].yields, tensor))
            return true;
    return false;
}

/* Where nobody needs what is moved into an argument afterwards, the argument may lie there anyway.
 */
static void list_argument(struct search *search, uint32_t o, const struct graph_carried *carried)
{
    const struct graph *graph = search->graph;
    const struct graph_tensor *tensor = graph->tensor;
    if (tensor[carried->argument].external)
        return;
    if (search->same[carried->argument] != carried->argument) {
        add_option(search, carried->argument, RESULT_STAYS);
        return;
    }
    if (is_listed(graph, graph->op[o].inputs, carried->init) && !tensor[carried->init].external)
        add_option(search, carried->argument, RESULT_STAYS_FIRST);
    if (is_yielded(graph, o, carried->yield) && !tensor[carried->yield].external &&
        tensor[carried->yield].producer != o)
        add_option(search, carried->argument, RESULT_STAYS_LATER);
}

/* Some branch yields for the output what it did not make, or yields it several times. */
static bool is_passed_on(const struct graph *graph, uint32_t o, uint32_t output)
{
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        struct span yields = graph->region[r].yields;
        uint32_t yield = graph->list[yields.first + output], count = 0;
        uint32_t producer = graph->tensor[yield].producer;
        for (uint32_t i = 0; i < yields.count; i++)
            count += graph->list[yields.first + i] == yield;
        if (count > 1 || producer == GRAPH_NONE || graph->op[producer].region != r)
            return true;
    }
    return false;
}

static void list_options(struct search *search)
{
    const struct graph *graph = search->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *owner = &graph->op[o];
        for (uint32_t c = 0; c < owner->carried.count; c++)
            list_argument(search, o, &graph->carried[owner->carried.first + c]);
        for (uint32_t i = 0; i < owner->outputs.count; i++) {
            uint32_t result = graph->list[owner->outputs.first + i];
            if (may_be_unplaced(search, result) && is_passed_on(graph, o, i))
                add_option(search, result, 0);
            else if (search->results == CHOICES_PLACED && is_result(graph, result) &&
                     search->same[result] != result)
                add_option(search, result, RESULT_STAYS);
        }
    }
    search->passing = search->options;
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t i = 0; i < graph->op[o].outputs.count; i++) {
            uint32_t result = graph->list[graph->op[o].outputs.first + i];
            if (may_be_unplaced(search, result) && !is_passed_on(graph, o, i))
                add_option(search, result, 0);
        }
}

static enum status start(struct search *search)
{
    uint32_t tensors = search->graph->tensors;
    TRY(same_values_create(search->graph, &search->same, search->error));
    TRY(memory_create(&search->way.stays, tensors, sizeof(uint8_t), search->error));
    TRY(memory_create(&search->way.unplaced, tensors, sizeof(bool), search->error));
    TRY(memory_create(&search->option, (size_t)tensors * 2, sizeof(uint32_t), search->error));
    TRY(memory_create(&search->staying, (size_t)tensors * 2, sizeof(uint8_t), search->error));
    list_options(search);
    return STATUS_OK;
}

static void end(struct search *search)
{
    memory_free(search->same);
    memory_free(search->option);
    memory_free(search->staying);
    memory_free(search->way.stays);
    memory_free(search->way.unplaced);
}

static void set_option(struct search *search, uint32_t option, bool copied)
{
    uint32_t tensor = search->option[option];
    assert(option < search->all);
    uint8_t staying = search->staying[option];
    if (!staying)
        search->way.unplaced[tensor] = !copied;
    else if (copied)
        search->way.stays[tensor] &= (uint8_t)~staying;
    else
        search->way.stays[tensor] |= staying;
}

static void set_options(struct search *search, bool copied)
{
    for (uint32_t i = 0; i < search->options; i++)
        set_option(search, i, copied);
}

static enum status make_level(const struct search *search, const struct policy_input *input,
                              struct policy_level *made)
{
    const struct place_choice choice = {search->way.unplaced, search->way.apart, search->way.stays};
    struct result_places *places;
    TRY(result_places_create(input->graph, input->placement, &choice, &places, search->error));
    return policy_level_create_in_places(input, places, made, search->error);
}

static enum status check_way(const struct search *search, const struct policy_input *input,
                             bool *valid)
{
    const struct place_choice choice = {search->way.unplaced, search->way.apart, search->way.stays};
    struct result_places *places;
    TRY(result_places_create(input->graph, input->placement, &choice, &places, search->error));
    enum status status = shared_places_check(
        &(struct shared_places){input->graph, input->placement, places, search->same}, valid,
        search->error);
    result_places_free(places);
    return status;
}

/* Behind all that are not put aside. */
static void put_aside(struct search *search, uint32_t option)
{
    uint32_t tensor = search->option[option], last = --search->options;
    uint8_t staying = search->staying[option];
    search->passing -= option < search->passing;
    memmove(search->option + option, search->option + option + 1,
            (last - option) * sizeof *search->option);
    memmove(search->staying + option, search->staying + option + 1, last - option);
    search->option[last] = tensor;
    search->staying[last] = staying;
}

static bool any_stays(const struct search *search)
{
    for (uint32_t i = 0; i < search->options; i++)
        if (search->staying[i])
            return true;
    return false;
}

/* First nothing is copied that need not be: what may stay does, one after another, unless that
   puts two values at one place. */
static enum status choose_first(struct search *search, const struct policy_input *input)
{
    bool valid = !any_stays(search);
    set_options(search, false);
    if (!valid)
        TRY(check_way(search, input, &valid));
    if (valid)
        return STATUS_OK;
    for (uint32_t i = 0; i < search->options; i++)
        if (search->staying[i])
            set_option(search, i, true);
    for (uint32_t i = 0; i < search->options;) {
        set_option(search, i, false);
        TRY(check_way(search, input, &valid));
        if (valid) {
            i++;
            continue;
        }
        set_option(search, i, true);
        put_aside(search, i);
    }
    return STATUS_OK;
}

enum status choices_make_level(const struct policy_input *input, enum choices_results results,
                               struct policy_level *made, struct error *error)
{
    struct search search = {.graph = input->graph, .error = error, .results = results};
    *made = (struct policy_level){0};
    enum status status = start(&search);
    if (!status)
        status = choose_first(&search, input);
    if (!status)
        status = make_level(&search, input, made);
    end(&search);
    return status;
}

static bool is_found(const struct placement *placement)
{
    return plan_status_is_found(placement->status);
}

static bool is_better(const struct placement *placement, const struct placement *other)
{
    if (!is_found(placement) || !is_found(other))
        return is_found(placement) || (!is_found(other) && other->status == PLAN_INFEASIBLE);
    return placement->measures.peak_bytes < other->measures.peak_bytes;
}

static void keep_better(struct search *search, struct placement *tried)
{
    struct placement *placement = search->placement;
    uint64_t nodes = placement->measures.nodes + tried->measures.nodes;
    uint64_t naive_bytes =
        search->tried ? placement->measures.naive_bytes : tried->measures.naive_bytes;
    uint64_t bound_bytes = tried->measures.lower_bound_bytes;
    search->proved =
        search->proved && (tried->status == PLAN_OPTIMAL || tried->status == PLAN_INFEASIBLE);
    if (!search->tried || bound_bytes < search->bound_bytes)
        search->bound_bytes = bound_bytes;
    if (!search->tried || is_better(tried, placement)) {
        struct placement worse = *placement;
        *placement = *tried;
        *tried = worse;
    }
    placement->measures.nodes = nodes;
    placement->measures.naive_bytes = naive_bytes;
    search->tried++;
}

static enum status plan_level(struct search *search, const struct policy_level *made)
{
    const struct placement *placement = search->placement;
    struct placement *tried;
    uint32_t tensors = search->graph->tensors;
    TRY(placement_create(search->graph, &tried, search->error));
    memcpy(tried->overwrites, placement->overwrites, tensors * sizeof *tried->overwrites);
    memcpy(tried->is_view, placement->is_view, tensors * sizeof *tried->is_view);
    enum status status = policy_level_plan(made, search->planner, tried, search->error);
    if (!status)
        keep_better(search, tried);
    placement_free(tried);
    return status;
}

/* Where the load is not below the best plan, a plan of this way cannot be, either. What is left of
   the time is shared with more_plans ways that follow; those of try_apart only follow where all
   others were proved before the time was up. */
static enum status try_way(struct search *search, uint32_t more_plans)
{
    const struct policy_input input = {search->graph, search->placement,
                                       search->planner->alignment_bytes};
    struct policy_level made = {0};
    uint64_t load_bytes;
    enum status status;
    TRY_OR_DONE(status, make_level(search, &input, &made));
    made.level->more_plans = more_plans;
    TRY_OR_DONE(status, problem_load(made.level->problem, &load_bytes, NULL, search->error));
    if (!search->tried && !search->least_is_known)
        search->least_bytes = load_bytes;
    if (!search->tried || !is_found(search->placement) ||
        load_bytes < search->placement->measures.peak_bytes)
        status = plan_level(search, &made);
done:
    policy_level_free(&made);
    return status;
}

static bool is_done(const struct search *search)
{
    return is_found(search->placement) &&
           search->placement->measures.peak_bytes <= search->least_bytes;
}

/* How many ways copy one option alone. Of a single option that is what copying all does. */
static uint32_t count_single(const struct search *search)
{
    return search->passing > 1 && search->passing <= MOST_SINGLE ? search->passing : 0;
}

/* One by one, what was not copied is. */
static enum status try_single(struct search *search)
{
    uint32_t ways = count_single(search);
    for (uint32_t i = 0; i < ways && !is_done(search); i++) {
        set_option(search, i, true);
        TRY(try_way(search, ways - i - 1));
        set_option(search, i, false);
    }
    return STATUS_OK;
}

/* All that there are, if there are few and the planner proves what it finds. */
static enum status try_apart(struct search *search)
{
    const struct policy_input input = {search->graph, search->placement,
                                       search->planner->alignment_bytes};
    uint32_t ways = (uint32_t)1 << search->all;
    search->way.apart = true;
    for (uint32_t way = 0; way < ways && search->proved && !is_done(search); way++) {
        bool valid = search->all == search->options;
        for (uint32_t i = 0; i < search->all; i++)
            set_option(search, i, way >> i & 1);
        if (!valid)
            TRY(check_way(search, &input, &valid));
        if (valid)
            TRY(try_way(search, ways - way - 1));
    }
    return STATUS_OK;
}

/* A tensor is moved twice at once: it may stay in one of the two places, which is no way here. */
static bool is_listed_twice(const struct search *search, struct span list, bool *seen)
{
    const uint32_t *listed = search->graph->list + list.first;
    bool twice = false;
    for (uint32_t i = 0; i < list.count; i++) {
        twice = twice || seen[search->same[listed[i]]];
        seen[search->same[listed[i]]] = true;
    }
    for (uint32_t i = 0; i < list.count; i++)
        seen[search->same[listed[i]]] = false;
    return twice;
}

static bool is_carried_twice(const struct search *search, struct span carried)
{
    const struct graph_carried *value = search->graph->carried + carried.first;
    const uint32_t *same = search->same;
    for (uint32_t c = 0; c < carried.count; c++)
        for (uint32_t d = 0; d < c; d++)
            if (same[value[c].init] == same[value[d].init] ||
                same[value[c].yield] == same[value[d].yield])
                return true;
    return false;
}

static enum status find_moved_twice(const struct search *search, bool *twice)
{
    const struct graph *graph = search->graph;
    bool *seen;
    *twice = false;
    TRY(memory_create(&seen, graph->tensors, sizeof *seen, search->error));
    for (uint32_t r = 1; r < graph->regions && !*twice; r++)
        *twice = is_listed_twice(search, graph->region[r].yields, seen);
    for (uint32_t o = 0; o < graph->operators && !*twice; o++)
        *twice = is_carried_twice(search, graph->op[o].carried);
    memory_free(seen);
    return STATUS_OK;
}

/* The load of the way in which nothing is copied, even where that puts two values at one place. */
static enum status find_load_without_copies(struct search *search, uint64_t *load_bytes)
{
    const struct policy_input input = {search->graph, search->placement,
                                       search->planner->alignment_bytes};
    struct policy_level made = {0};
    enum status status;
    set_options(search, false);
    status = make_level(search, &input, &made);
    if (!status)
        status = problem_load(made.level->problem, load_bytes, NULL, search->error);
    policy_level_free(&made);
    return status;
}

/* The least that is live at once, whatever is copied, where the first way does not say it. */
static enum status find_least(struct search *search, enum choices_results results)
{
    struct search least = {.graph = search->graph,
                           .placement = search->placement,
                           .planner = search->planner,
                           .error = search->error,
                           .results = results};
    enum status status = start(&least);
    if (!status)
        status = find_load_without_copies(&least, &search->least_bytes);
    end(&least);
    search->least_is_known = true;
    return status;
}

static bool shares_places(const struct search *search)
{
    const struct graph *graph = search->graph;
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (is_result(graph, t))
            return true;
    return false;
}

/* Its bounds hold for all ways. */
static void conclude(struct search *search, bool complete)
{
    struct placement *placement = search->placement;
    struct measures *measures = &placement->measures;
    uint64_t bound_bytes = complete ? search->bound_bytes : search->least_bytes;
    if (bound_bytes < search->least_bytes)
        bound_bytes = search->least_bytes;
    measures->load_bytes = search->least_bytes;
    measures->lower_bound_bytes = bound_bytes;
    if (!is_found(placement)) {
        if (!complete && placement->status == PLAN_INFEASIBLE && !search->proved)
            placement->status = PLAN_TIMEOUT;
        return;
    }
    placement->status =
        measures->lower_bound_bytes == measures->peak_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
}

static enum status try_all(struct search *search)
{
    const struct policy_input input = {search->graph, search->placement,
                                       search->planner->alignment_bytes};
    bool twice, complete;
    TRY(choose_first(search, &input));
    TRY(find_moved_twice(search, &twice));
    if (twice || search->options < search->all)
        TRY(find_least(search, twice ? CHOICES_EITHER : search->results));
    bool several = search->passing > 0;
    complete = !search->all && !twice && !shares_places(search);
    TRY(try_way(search, several));
    if (!is_done(search) && several) {
        set_options(search, true);
        TRY(try_way(search, count_single(search)));
        set_options(search, false);
        TRY(try_single(search));
    }
    if (!is_done(search) && !complete && search->proved && search->all <= MOST_TRIED) {
        TRY(try_apart(search));
        complete = search->proved && !twice;
    }
    conclude(search, complete);
    return STATUS_OK;
}

enum status choices_place(const struct graph *graph, enum choices_results results,
                          const struct level_planner *planner, struct placement *placement,
                          struct error *error)
{
    struct search search = {.graph = graph,
                            .planner = planner,
                            .placement = placement,
                            .error = error,
                            .results = results,
                            .proved = true};
    enum status status = start(&search);
    if (!status)
        status = try_all(&search);
    end(&search);
    return status;
}
