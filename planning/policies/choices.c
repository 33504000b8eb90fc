#include "planning/policies/choices.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/liveness/shared_places.h"
#include "planning/problem/bounds.h"

enum {
    MOST_COPIED_ALONE = 8, /* with more options, none is copied alone */
    MOST_UNPLACED = 4,  /* with more results that may have no place, not all variants are tried */
    MOST_MOVES = 6,     /* nor with more moves that need not copy */
    MOST_VARIANTS = 64, /* nor with more variants than that */
};

struct search {
    const struct graph *graph;
    struct policy_input input; /* of every variant */
    const struct level_planner *planner;
    struct placement *placement; /* the best of all variants that were planned */
    struct error *error;
    struct place_options options; /* which there are, and what the current variant chooses */
    bool apart;           /* what a branch yields lies in a place of its own until it is moved */
    bool merges;          /* tensors that always have the same value are in one place */
    uint64_t least_bytes; /* no variant has a plan of fewer bytes */
    bool least_is_known;
    uint64_t bound_bytes; /* the least lower bound of all plans that were made */
    uint32_t tried;
    bool proved; /* each variant that was planned has an optimal plan, or surely none */
};

static enum status make_places(const struct search *search, struct result_places **places)
{
    const struct place_choice choice = {search->options.unplaced, search->apart,
                                        &search->options.moves, search->options.coincides,
                                        search->merges ? search->options.same : NULL};
    return result_places_create(search->graph, search->input.placement, &choice, places,
                                search->error);
}

static enum status make_level(const struct search *search, struct policy_level *made)
{
    struct result_places *places;
    TRY(make_places(search, &places));
    return policy_level_create_in_places(&search->input, places, made, search->error);
}

static struct shared_places share(const struct search *search, const struct result_places *places)
{
    return (struct shared_places){search->graph, search->input.placement, places,
                                  &search->options.moves, search->options.same};
}

static enum status check_way(const struct search *search, bool *valid, bool *sure)
{
    SCOPED(result_places_release) struct result_places *places = NULL;
    TRY(make_places(search, &places));
    const struct shared_places shared = share(search, places);
    return shared_places_check(&shared, valid, sure, search->error);
}

/* Chooses the variant that is planned first, in which nothing is copied if that is possible. Where
   it would put two values at one place, everything is copied at first that may coincide; then one
   option after another coincides after all, and those that would put two values at one place are
   copied from then on. */
static enum status choose_first(struct search *search)
{
    struct place_options *options = &search->options;
    bool valid = !place_options_any_coincide(options), sure;
    place_options_set_all(options, false);
    if (!valid)
        TRY(check_way(search, &valid, &sure));
    if (valid)
        return STATUS_OK;
    for (uint32_t i = 0; i < options->count; i++)
        if (options->coinciding[i])
            place_options_set(options, i, true);
    for (uint32_t i = 0; i < options->count;) {
        place_options_set(options, i, false);
        TRY(check_way(search, &valid, &sure));
        assert(options->passing <= options->count && i < options->count);
        if (valid) {
            i++;
            continue;
        }
        place_options_set(options, i, true);
        place_options_put_aside(options, i);
    }
    return STATUS_OK;
}

static void end_search(struct search *search)
{
    place_options_clear(&search->options);
}

enum status choices_make_level(const struct policy *policy, const struct policy_input *input,
                               struct policy_level *made, struct error *error)
{
    SCOPED(end_search)
    struct search search = {.graph = input->graph, .input = *input, .error = error};
    assert(!input->placement || input->placement->tensors == input->graph->tensors);
    *made = (struct policy_level){0};
    TRY(place_options_create(input->graph, policy->selects, &search.options, error));
    TRY(choose_first(&search));
    return make_level(&search, made);
}

static bool is_found(const struct placement *placement)
{
    return plan_status_is_found(placement->status);
}

/* Plans the level and keeps the better of its placement and the best one so far. What is counted
   for all variants together, such as nodes, is added up. */
static enum status plan_level(struct search *search, const struct policy_level *made)
{
    struct placement *placement = search->placement;
    SCOPED(placement_release) struct placement *tried = NULL;
    uint32_t tensors = search->graph->tensors;
    TRY(placement_create(search->graph, &tried, search->error));
    memcpy(tried->overwrites, placement->overwrites, tensors * sizeof *tried->overwrites);
    memcpy(tried->is_view, placement->is_view, tensors * sizeof *tried->is_view);
    TRY(policy_level_plan(made, search->planner, tried, search->error));

    assert(!is_found(tried) || search->planner->unchecked ||
           tried->measures.lower_bound_bytes <= tried->measures.peak_bytes);
    uint64_t nodes = placement->measures.nodes + tried->measures.nodes;
    assert(search->tried || !placement->measures.nodes);
    uint64_t naive_bytes =
        search->tried ? placement->measures.naive_bytes : tried->measures.naive_bytes;
    uint64_t bound_bytes = tried->measures.lower_bound_bytes;
    search->proved =
        search->proved && (tried->status == PLAN_OPTIMAL || tried->status == PLAN_INFEASIBLE);
    if (!search->tried || bound_bytes < search->bound_bytes)
        search->bound_bytes = bound_bytes;
    bool better =
        is_found(tried) && is_found(placement)
            ? tried->measures.peak_bytes < placement->measures.peak_bytes
            : is_found(tried) || (!is_found(placement) && placement->status == PLAN_INFEASIBLE);
    if (!search->tried || better) {
        struct placement worse = *placement;
        *placement = *tried;
        *tried = worse;
    }
    placement->measures.nodes = nodes;
    placement->measures.naive_bytes = naive_bytes;
    search->tried++;
    return STATUS_OK;
}

/* A bound for all plans of the level: nothing where the level has conflicts that no path has. */
static uint64_t find_bound(const struct policy_level *made, uint64_t load_bytes)
{
    return made->level->is_cautious ? 0 : load_bytes;
}

/* Plans the variant that the options choose, unless its load says that no plan of it is better than
   the best one so far. The planner leaves a share of its time to each of the more_plans variants
   that are to follow. Those of try_apart are not among these, since they follow only where all
   plans were proved optimal before the time was up. */
static enum status try_variant(struct search *search, uint32_t more_plans)
{
    SCOPED(policy_level_free) struct policy_level made = {0};
    uint64_t load_bytes;
    TRY(make_level(search, &made));
    made.level->more_plans = more_plans;
    TRY(problem_load(made.level->problem, &load_bytes, NULL, search->error));
    if (!search->tried && !search->least_is_known)
        search->least_bytes = find_bound(&made, load_bytes);
    assert(made.level->is_cautious || load_bytes >= search->least_bytes);
    if (search->tried && is_found(search->placement) &&
        load_bytes >= search->placement->measures.peak_bytes)
        return STATUS_OK;
    return plan_level(search, &made);
}

static bool is_done(const struct search *search)
{
    return is_found(search->placement) &&
           search->placement->measures.peak_bytes <= search->least_bytes;
}

/* Lists in moved[count] the moves for which it matters, with the results placed as they are,
   whether they copy. count is 0 where there are more of them than variants are left. *complete is
   false where there is more to choose than these moves. */
static enum status list_moves(struct search *search, uint32_t *moved, uint32_t *count,
                              bool *complete)
{
    const struct graph_moves *moves = &search->options.moves;
    SCOPED(result_places_release) struct result_places *places = NULL;
    SCOPED(memory_release) bool *matters = NULL;
    bool sure;
    *count = 0;
    TRY(memory_create(&matters, moves->count, sizeof *matters, search->error));
    TRY(make_places(search, &places));
    const struct shared_places shared = share(search, places);
    TRY(shared_places_list(&shared, matters, &sure, search->error));
    for (uint32_t m = 0; m < moves->count; m++)
        if (matters[m] && (*count)++ < MOST_MOVES)
            moved[*count - 1] = m;
    assert(*count <= moves->count);
    *complete = *complete && sure && *count <= MOST_MOVES;
    return STATUS_OK;
}

static bool shares_places(const struct search *search)
{
    for (uint32_t t = 0; t < search->graph->tensors; t++)
        if (place_options_is_result(search->graph, t))
            return true;
    return false;
}

/* Tries all variants in which the results are placed as they are. */
static enum status try_moves(struct search *search, uint32_t *variants, bool *complete)
{
    uint32_t moved[MOST_MOVES], count;
    TRY(list_moves(search, moved, &count, complete));
    assert(search->apart && search->proved);
    if (count > MOST_MOVES || *variants + ((uint32_t)1 << count) > MOST_VARIANTS) {
        *complete = false;
        return STATUS_OK;
    }
    *variants += (uint32_t)1 << count;
    assert(*variants <= MOST_VARIANTS);
    for (uint32_t way = 0; way >> count == 0 && search->proved && !is_done(search); way++) {
        bool valid = true, sure = true;
        for (uint32_t m = 0; m < count; m++)
            search->options.coincides[moved[m]] = way >> m & 1;
        if (way)
            TRY(check_way(search, &valid, &sure));
        /* The first variant is the one in which every move copies, where nothing else can be
           chosen. */
        if (valid && (way || search->options.all || shares_places(search)))
            TRY(try_variant(search, MOST_VARIANTS - *variants));
        *complete = *complete && (valid || sure);
    }
    for (uint32_t m = 0; m < count; m++)
        search->options.coincides[moved[m]] = false;
    return STATUS_OK;
}

/* Tries every variant, with what branches yield in places of its own until it is moved, for as long
   as the planner proves its plans optimal; *complete where there is no other placement than those
   of these variants. */
static enum status try_apart(struct search *search, bool *complete)
{
    struct place_options *options = &search->options;
    uint32_t result[MOST_UNPLACED], results = 0, variants = 0;
    for (uint32_t t = 0; t < search->graph->tensors; t++)
        if (options->selects && place_options_is_result(search->graph, t) &&
            results++ < MOST_UNPLACED)
            result[results - 1] = t;
    *complete = results <= MOST_UNPLACED;
    memset(options->coincides, 0, options->moves.count * sizeof *options->coincides);
    search->apart = true;
    for (uint32_t way = 0; *complete && way >> results == 0 && search->proved && !is_done(search);
         way++) {
        assert(results <= MOST_UNPLACED);
        for (uint32_t r = 0; r < results; r++)
            options->unplaced[result[r]] = !(way >> r & 1);
        TRY(try_moves(search, &variants, complete));
    }
    *complete = *complete && search->proved;
    return STATUS_OK;
}

/* Raises least_bytes to the load of no copies of what always has the same value, even where no plan
   can do without. */
static enum status raise_least(struct search *search, bool selects)
{
    SCOPED(end_search)
    struct search least = {
        .graph = search->graph, .input = search->input, .merges = true, .error = search->error};
    struct place_options *options = &least.options;
    assert(search->least_is_known);
    SCOPED(policy_level_free) struct policy_level made = {0};
    uint64_t load_bytes;
    TRY(place_options_create(search->graph, selects, options, search->error));
    for (uint32_t i = 0; i < options->all; i++) {
        uint32_t tensor = options->tensor[i];
        /* An argument that has the value of another argument of its loop, but of no other tensor:
           nothing else says that it may coincide with its initial value or with what a turn
           yields. */
        bool shares_its_moves =
            options->same[tensor] == tensor && !place_options_is_result(options->graph, tensor);
        if (options->coinciding[i] != PLACE_COINCIDES || shares_its_moves)
            place_options_set(options, i, false);
    }
    TRY(make_level(&least, &made));
    TRY(problem_load(made.level->problem, &load_bytes, NULL, search->error));
    if (search->least_bytes < find_bound(&made, load_bytes))
        search->least_bytes = find_bound(&made, load_bytes);
    return STATUS_OK;
}

/* Gives the placement a load and a lower bound that hold for all variants, tried or not, and the
   status that follows. `complete`: there is no other variant than those tried. */
static void conclude(struct search *search, bool complete)
{
    struct placement *placement = search->placement;
    struct measures *measures = &placement->measures;
    uint64_t bound_bytes = complete ? search->bound_bytes : search->least_bytes;
    if (bound_bytes < search->least_bytes)
        bound_bytes = search->least_bytes;
    assert(search->tried && search->least_bytes <= bound_bytes);
    assert(!is_found(placement) || search->planner->unchecked ||
           bound_bytes <= measures->peak_bytes);
    measures->load_bytes = search->least_bytes;
    measures->lower_bound_bytes = bound_bytes;
    if (is_found(placement))
        placement->status = bound_bytes == measures->peak_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    else if (!complete && placement->status == PLAN_INFEASIBLE && !search->proved)
        placement->status = PLAN_TIMEOUT;
}

static enum status try_all(struct search *search)
{
    struct place_options *options = &search->options;
    bool twice, complete = options->moves.count == 0;
    assert(!search->tried && search->proved);
    TRY(choose_first(search));
    TRY(place_options_moved_twice(options, &twice, search->error));
    assert(options->passing <= options->count && options->count <= options->all);
    if (twice || options->count < options->all ||
        (options->selects && shares_places(search) && search->graph->carried_count)) {
        /* The first variant copies something, so that its load is no bound for all. Where results
           have places, raise_least may put tensors into one place that no plan does. So the load
           without such places counts as well: a plan in which results have places is one of all
           plans. */
        search->least_is_known = true;
        TRY(raise_least(search, options->selects));
        if (!options->selects)
            TRY(raise_least(search, true));
    }
    TRY(try_variant(search, options->passing > 0));
    if (!is_done(search) && options->passing > 0) {
        /* A single option is not copied alone: that is copying all. */
        uint32_t alone =
            options->passing > 1 && options->passing <= MOST_COPIED_ALONE ? options->passing : 0;
        place_options_set_all(options, true);
        TRY(try_variant(search, alone));
        place_options_set_all(options, false);
        for (uint32_t i = 0; i < alone && !is_done(search); i++) {
            bool valid, sure;
            place_options_set(options, i, true);
            TRY(check_way(search, &valid, &sure));
            if (valid)
                TRY(try_variant(search, alone - i - 1));
            place_options_set(options, i, false);
        }
    }
    if (!is_done(search) && !complete && search->proved)
        TRY(try_apart(search, &complete));
    conclude(search, complete);
    return STATUS_OK;
}

enum status choices_place(const struct policy *policy, const struct graph *graph,
                          const struct level_planner *planner, struct placement *placement,
                          struct error *error)
{
    SCOPED(end_search)
    struct search search = {.graph = graph,
                            .input = {graph, placement, planner->alignment_bytes},
                            .planner = planner,
                            .placement = placement,
                            .error = error,
                            .proved = true};
    TRY(place_options_create(graph, policy->selects, &search.options, error));
    return try_all(&search);
}
