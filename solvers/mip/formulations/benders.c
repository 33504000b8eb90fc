#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "solvers/mip/formulations/pair_rows.h"
#include "solvers/mip/mip.h"
#include "solvers/mip/model/order_plan.h"

/* Combinatorial Benders cuts (Codato and Fischetti 2006): the master has the peak and the binaries
   and no offsets, the sub-problem is a longest path. A path that ends above the peak, above the
   upper end or above a fixed buffer, or that goes round, becomes a row of the binaries along it.
   With the switch of clique rows each relaxation is also cut by what lies below a buffer in one
   section and above it in another. There is no M. */

/* What the binaries say, and a path of pairs that lead from buffer to buffer, each upwards. */
struct search {
    struct mip_model *model;
    const double *values;
    uint64_t *offset;  /* [buffers] units, the lowest that the binaries leave */
    uint32_t *reached; /* [buffers] the pair whose lower buffer holds it up; UINT32_MAX for none */
    uint32_t *path;    /* [buffers + 1] pairs, from the top down */
    uint32_t pairs;    /* of the path */
};

static bool first_is_below(const struct search *search, uint32_t p)
{
    assert(p < search->model->pairs.count);
    return search->values[search->model->first_pair + p] > 0.5;
}

/* The lower buffer of a pair. */
static uint32_t get_lower(const struct search *search, uint32_t p)
{
    const struct mip_pair *pair = &search->model->pairs.pair[p];
    assert(pair->first != pair->second);
    return first_is_below(search, p) ? pair->first : pair->second;
}

/* Adds "the pair lies the other way round", times the factor, to the open row, and returns its
   constant. */
static double add_flip(struct search *search, uint32_t p, double factor)
{
    assert(factor > 0);
    bool is_first = first_is_below(search, p);
    mip_add_entry(search->model, search->model->first_pair + p, is_first ? -factor : factor);
    return is_first ? factor : 0;
}

/* Follows what holds a buffer up, once around at most. */
static void trace_path(struct search *search, uint32_t top)
{
    assert(search->pairs <= search->model->problem->buffers &&
           top < search->model->problem->buffers);
    search->pairs = 0;
    for (uint32_t b = top;
         search->reached[b] != UINT32_MAX && search->pairs < search->model->problem->buffers;
         b = get_lower(search, search->reached[b]))
        search->path[search->pairs++] = search->reached[b];
}

/* At least one pair of the path lies the other way round. */
static void forbid_path(struct search *search, uint32_t from, uint32_t to)
{
    double constant = 0;
    assert(from < to && to <= search->pairs);
    for (uint32_t i = from; i < to; i++)
        constant += add_flip(search, search->path[i], 1);
    mip_close_row(search->model, 1 - constant);
}

/* Pairs that hold each other up go round: from some buffer down to the same one. */
static void forbid_circle(struct search *search, uint32_t top)
{
    uint32_t buffers = search->model->problem->buffers, b = top;
    /* After as many steps as there are buffers one is on the circle. */
    for (uint32_t i = 0; i < buffers; i++) {
        assert(search->reached[b] != UINT32_MAX);
        b = get_lower(search, search->reached[b]);
    }
    trace_path(search, b);
    assert(search->pairs > 0);
    uint32_t round = 1;
    while (get_lower(search, search->path[round - 1]) != b) {
        assert(round < search->pairs);
        round++;
    }
    forbid_path(search, 0, round);
}

/* peak >= where the path ends, less what each pair that lies the other way round may take off: what
   comes after it, and no more than down to the bound. */
static void bound_path(struct search *search, uint32_t top, uint64_t end)
{
    struct mip_model *model = search->model;
    const uint64_t *size = model->problem->size;
    uint64_t reached = 0; /* the highest end up to the lower buffer of a pair */
    double constant = 0;
    assert(end > 0 && top < model->problem->buffers);
    trace_path(search, top);
    mip_add_entry(model, 0, 1);
    assert(search->pairs < model->problem->buffers); /* it does not go round */
    for (uint32_t i = search->pairs; i-- > 0;) {
        uint32_t lower = get_lower(search, search->path[i]);
        uint64_t lower_end = search->offset[lower] + size[lower] / model->scale;
        reached = lower_end > reached ? lower_end : reached;
        uint64_t floor = reached > model->bound ? reached : model->bound;
        if (end > floor)
            constant += add_flip(search, search->path[i], (double)(end - floor));
    }
    mip_close_row(model, (double)end - constant);
}

/* Lifts the upper buffer of a pair where it has to. False where a row forbids that. */
static bool lift(struct search *search, uint32_t p, bool *moved)
{
    const struct mip_model *model = search->model;
    const struct mip_pair *pair = &model->pairs.pair[p];
    uint32_t lower = get_lower(search, p);
    uint32_t upper = lower == pair->first ? pair->second : pair->first;
    assert(lower != upper);
    int64_t apart = lower == pair->first ? mip_first_below(pair) : mip_second_below(pair);
    int64_t needed = (int64_t)search->offset[lower] + apart;
    if (needed <= (int64_t)search->offset[upper])
        return true;
    search->reached[upper] = p;
    *moved = true;
    bool is_fixed = problem_fixed_offset(model->problem, upper) != PROBLEM_FREE;
    search->offset[upper] = align_up((uint64_t)needed, mip_model_factor(model, upper));
    assert(search->offset[upper] >= (uint64_t)needed);
    if (!is_fixed &&
        search->offset[upper] + model->problem->size[upper] / model->scale <= model->upper)
        return true;
    trace_path(search, upper);
    if (search->pairs < model->problem->buffers)
        forbid_path(search, 0, search->pairs);
    else
        forbid_circle(search, upper);
    return false;
}

/* The longest path by the binaries, all of which are whole. */
static void check_paths(struct search *search)
{
    const struct mip_model *model = search->model;
    const struct problem *problem = model->problem;
    uint32_t top = 0;
    uint64_t most = 0;
    bool moved = true;
    assert(model->first_pair != MIP_NO_COLUMN && search->offset && search->path);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t fixed = problem_fixed_offset(problem, b);
        search->offset[b] = fixed == PROBLEM_FREE ? 0 : fixed / model->scale;
        search->reached[b] = UINT32_MAX;
    }
    for (uint32_t rounds = 0; moved; rounds++) {
        /* A path without a circle settles in as many rounds as there are buffers. */
        for (uint32_t b = 0; b < problem->buffers && rounds > problem->buffers; b++) {
            trace_path(search, b);
            if (search->pairs == problem->buffers) {
                forbid_circle(search, b);
                return;
            }
        }
        moved = false;
        for (uint32_t p = 0; p < model->pairs.count; p++)
            if (!lift(search, p, &moved))
                return;
    }
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t end = search->offset[b] + problem->size[b] / model->scale;
        if (end > most) {
            most = end;
            top = b;
        }
    }
    if ((double)most > search->values[0] + 0.5)
        bound_path(search, top, most);
}

/* The side of a buffer's windows on which most bytes lie, by the relaxation: below, less where the
   window begins, or above, plus where it ends. */
struct most_side {
    struct mip_side side;
    double edge, bytes;
};

static void find_most(const struct mip_model *model, const double *values, struct most_side *below,
                      struct most_side *above)
{
    assert(below != above);
    const struct sections *sections = model->sections;
    for (uint32_t b = 0; b < model->problem->buffers; b++)
        below[b].bytes = above[b].bytes = -1;
    for (uint32_t s = 0; s < sections->count; s++)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            for (int is_below = 0; is_below < 2; is_below++) {
                struct mip_window window = mip_section_window(&model->pairs, i);
                struct most_side *most = &(is_below ? below : above)[window.buffer];
                assert(window.buffer < model->problem->buffers);
                struct most_side found = {.side = {s, i, is_below}};
                found.edge = is_below ? -(double)window.lower : (double)window.upper;
                found.bytes = found.edge + mip_side_bytes(model, &found.side, values);
                if (found.bytes > most->bytes)
                    *most = found;
            }
}

/* For each buffer whose sides are broken the row: peak >= the bytes below it in one section and
   above it in another. */
static void cut_sides(struct search *search)
{
    static const double least = 0.01;
    struct mip_model *model = search->model;
    uint32_t buffers = model->problem->buffers;
    SCOPED(memory_release) struct most_side *side = NULL;
    if (memory_create(&side, (size_t)buffers * 2, sizeof *side, &model->error))
        return;
    find_most(model, search->values, side, side + buffers);
    for (uint32_t b = 0; b < buffers; b++) {
        const struct most_side *below = &side[b], *above = &side[buffers + b];
        if (below->bytes < 0 || above->bytes < 0 || below->side.section == above->side.section ||
            below->bytes + above->bytes < search->values[0] * (1 + 1e-4) + least)
            continue;
        assert(below->side.below && !above->side.below);
        mip_add_entry(model, 0, 1);
        double constant = mip_add_side_entries(model, &below->side, -1) +
                          mip_add_side_entries(model, &above->side, -1);
        mip_merge_entries(model);
        mip_close_row(model, below->edge + above->edge + constant);
    }
}

static bool are_whole(const struct mip_model *model, const double *values)
{
    static const double tolerance = 1e-6;
    assert(model->first_pair + model->pairs.count <= model->columns);
    for (uint32_t p = 0; p < model->pairs.count; p++) {
        double value = values[model->first_pair + p];
        if (value > tolerance && value < 1 - tolerance)
            return false;
    }
    return true;
}

static void separate(struct mip_model *model, const double *values)
{
    struct search search = {.model = model, .values = values};
    size_t buffers = model->problem->buffers;
    assert(!model->complete); /* build refuses that */
    if (!are_whole(model, values)) {
        if (model->switches & MIP_CLIQUES)
            cut_sides(&search);
        return;
    }
    if (memory_create(&search.offset, buffers, sizeof *search.offset, &model->error) == STATUS_OK &&
        memory_create(&search.reached, buffers, sizeof *search.reached, &model->error) ==
            STATUS_OK &&
        memory_create(&search.path, buffers + 1, sizeof *search.path, &model->error) == STATUS_OK)
        check_paths(&search);
    memory_free_all(search.offset, search.reached, search.path);
}

static void build(struct mip_model *model)
{
    const struct problem *problem = model->problem;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_has_windows(problem) && mip_model_factor(model, b) > 1)
            mip_refuse(model, "windows of aligned buffers may hold each other up in a circle");
    if (model->complete)
        mip_refuse(model, "its rows are found while it is solved, so they cannot be written down");
    mip_add_pair_columns(model);
    /* Solvers want a row, and SYMPHONY divides by the number of those that have a binary. */
    for (uint32_t c = 0; c < model->columns; c++)
        mip_add_entry(model, c, 1);
    mip_close_row(model, (double)model->bound);
}

const struct mip_formulation mip_formulation_benders = {
    MIP_BY_PAIRS,        .name = "benders", .legend = "below_A~~B where A lies below B",
    .standard = MIP_ALL, .build = build,    .separate = separate};

const struct planner planner_ilp_benders = {
    ILP_PLANNER(benders),
    .options = mip_options,
    .title = "integer program: directions of pairs, cut by the longest paths they make",
    .source = "Codato and Fischetti 2006",
};
