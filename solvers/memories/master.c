#include "solvers/memories/master.h"

#include <assert.h>
#include <math.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/problem/sections.h"
#include "solvers/memories/covers.h"
#include "solvers/mip/backends/solver.h"

enum status master_cuts_create(const struct memory_model *model, struct master_cuts *cuts,
                               struct error *error)
{
    *cuts = (struct master_cuts){.model = model, .room = 1};
    TRY(load_sets_create(model, &cuts->loads, error));
    TRY(memory_reserve(&cuts->first_node, &cuts->bounds_capacity[0], 1, sizeof(uint32_t), error));
    TRY(memory_reserve(&cuts->first_edge, &cuts->bounds_capacity[1], 1, sizeof(uint32_t), error));
    cuts->first_node[0] = cuts->first_edge[0] = 0;
    return STATUS_OK;
}

void master_cuts_free(struct master_cuts *cuts)
{
    load_sets_free(&cuts->loads);
    memory_free_all(cuts->arena, cuts->first_node, cuts->first_edge, cuts->node, cuts->edge);
    *cuts = (struct master_cuts){0};
}

enum status master_cuts_add(struct master_cuts *cuts, uint32_t arena, const uint32_t *node,
                            uint32_t nodes, const uint32_t *edge, uint32_t edges,
                            const bool *has_choice, struct error *error)
{
    assert(arena < cuts->model->arenas && nodes + edges > 0);
    uint32_t n = cuts->first_node[cuts->cuts], e = cuts->first_edge[cuts->cuts];
    size_t bounds = (size_t)cuts->cuts + 2;
    TRY(memory_reserve(&cuts->arena, &cuts->arena_capacity, (size_t)cuts->cuts + 1,
                       sizeof(uint32_t), error));
    TRY(memory_reserve(&cuts->first_node, &cuts->bounds_capacity[0], bounds, sizeof(uint32_t),
                       error));
    TRY(memory_reserve(&cuts->first_edge, &cuts->bounds_capacity[1], bounds, sizeof(uint32_t),
                       error));
    TRY(memory_reserve(&cuts->node, &cuts->node_capacity, (size_t)n + nodes + 1, sizeof(uint32_t),
                       error));
    TRY(memory_reserve(&cuts->edge, &cuts->edge_capacity, (size_t)e + edges + 1, sizeof(uint32_t),
                       error));
    for (uint32_t i = 0; i < nodes; i++)
        if (has_choice[node[i]])
            cuts->node[n++] = node[i];
    for (uint32_t i = 0; i < edges; i++)
        cuts->edge[e++] = edge[i];
    cuts->arena[cuts->cuts++] = arena;
    cuts->first_node[cuts->cuts] = n;
    cuts->first_edge[cuts->cuts] = e;
    return STATUS_OK;
}

void master_find_choices(const struct memory_model *model, bool *has_choice, uint32_t *arena)
{
    for (uint32_t n = 0; n < model->classes.count; n++) {
        uint32_t open = 0;
        for (uint32_t a = 0; a < model->arenas; a++)
            if (memory_model_traffic(model, n, a) != UINT64_MAX && open++ == 0)
                arena[n] = a;
        has_choice[n] = open > 1;
    }
}

/* An integer program while it is built. Costs are divided by their greatest common divisor. */
struct master {
    struct mip_formulation formulation; /* the first member, by which it is found again */
    struct master_cuts *cuts;
    const struct memory_model *model;
    const bool *has_choice;
    struct mip_model *program;
    uint32_t *column_of;   /* [nodes * arenas] of a node with a choice; 0: it may not lie there */
    uint32_t *edge_column; /* [edges] */
    bool *marked;          /* [nodes] scratch: those of the set whose row is made */
    double *in, *share;    /* [nodes], [edges] scratch: shares of a relaxation */
    uint64_t unit;
    bool relaxed;
    double fixed; /* what the nodes without a choice cost, in units */
};

static void clear_master(struct master *master)
{
    mip_model_free(master->program);
    memory_free_all(master->column_of, master->edge_column, master->marked, master->in,
                    master->share);
}

static uint32_t get_column(const struct master *master, uint32_t node, uint32_t arena)
{
    assert(node < master->model->classes.count && arena < master->model->arenas);
    return master->column_of[(size_t)node * master->model->arenas + arena];
}

static void find_unit(struct master *master)
{
    const struct memory_model *model = master->model;
    uint64_t unit = 0;
    for (uint32_t n = 0; n < model->classes.count; n++)
        for (uint32_t a = 0; a < model->arenas; a++) {
            uint64_t traffic = memory_model_traffic(model, n, a);
            if (traffic != UINT64_MAX)
                unit = greatest_common_divisor(unit, traffic);
        }
    for (uint32_t e = 0; e < model->edges; e++)
        unit = greatest_common_divisor(unit, model->edge[e].cost);
    master->unit = unit ? unit : 1;
    assert(master->unit > 0);
}

/* What the dearest choice costs, in units, and one more. A greater upper end of column 0 would make
   GLPK's sums inexact. */
static double find_most(const struct master *master)
{
    assert(master->unit > 0);
    const struct memory_model *model = master->model;
    double most = 1;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        uint64_t dearest = 0;
        for (uint32_t a = 0; a < model->arenas; a++) {
            uint64_t traffic = memory_model_traffic(model, n, a);
            if (traffic != UINT64_MAX && traffic > dearest)
                dearest = traffic;
        }
        most += (double)(dearest / master->unit);
    }
    for (uint32_t e = 0; e < model->edges; e++)
        most += (double)(model->edge[e].cost / master->unit) + 1;
    return most;
}

/* Where chunks are twins, the i-th node lies in one of the first i + 1 of them. */
static bool may_lie_in(const struct memory_model *model, uint32_t node, uint32_t arena)
{
    assert(model->arena[arena].twin <= arena);
    return memory_model_traffic(model, node, arena) != UINT64_MAX &&
           model->arena[arena].rank <= node;
}

static void add_columns(struct master *master)
{
    assert(master->program->columns == 1);
    const struct memory_model *model = master->model;
    for (uint32_t n = 0; n < model->classes.count; n++)
        for (uint32_t a = 0; a < model->arenas && master->has_choice[n]; a++)
            if (may_lie_in(model, n, a))
                master->column_of[(size_t)n * model->arenas + a] =
                    mip_add_column(master->program, 0, 1, !master->relaxed);
    for (uint32_t e = 0; e < model->edges; e++)
        master->edge_column[e] = mip_add_column(master->program, 0, 1, !master->relaxed);
}

/* Column 0 is what is chosen costs, and each node lies in one arena. */
static void add_cost_rows(struct master *master)
{
    const struct memory_model *model = master->model;
    mip_add_entry(master->program, 0, 1);
    for (uint32_t n = 0; n < model->classes.count; n++)
        for (uint32_t a = 0; a < model->arenas; a++) {
            uint64_t traffic = memory_model_traffic(model, n, a);
            if (traffic == UINT64_MAX)
                continue;
            assert(traffic % master->unit == 0);
            if (!master->has_choice[n])
                master->fixed += (double)(traffic / master->unit);
            else if (get_column(master, n, a) && traffic)
                mip_add_entry(master->program, get_column(master, n, a),
                              -(double)(traffic / master->unit));
        }
    for (uint32_t e = 0; e < model->edges; e++)
        mip_add_entry(master->program, master->edge_column[e],
                      -(double)(model->edge[e].cost / master->unit));
    mip_close_row(master->program, master->fixed);
    for (uint32_t n = 0; n < model->classes.count; n++) {
        if (!master->has_choice[n])
            continue;
        for (uint32_t a = 0; a < model->arenas; a++)
            if (get_column(master, n, a))
                mip_add_entry(master->program, get_column(master, n, a), 1);
        mip_close_equation(master->program, 1);
    }
}

/* The bytes of an arena in which nothing lies: those of its reserved range; 0 where it has several,
   which may overlap. */
static uint64_t get_reserved_bytes(const struct memory_model *model, uint32_t arena)
{
    uint64_t capacity = model->arena[arena].capacity;
    const struct memory_range *range = &model->reserved[model->first_reserved[arena]];
    if (model->first_reserved[arena + 1] - model->first_reserved[arena] != 1 ||
        range->lower >= capacity)
        return 0;
    return (range->upper < capacity ? range->upper : capacity) - range->lower;
}

/* The most bytes that the two nodes of an edge can have in common. */
static uint64_t get_shared_bytes(const struct memory_model *model, uint32_t edge)
{
    uint64_t a = model->nodes->size[model->edge[edge].first];
    uint64_t b = model->nodes->size[model->edge[edge].second];
    return a < b ? a : b;
}

/* What a row of loads is made from. */
struct load_row {
    const uint32_t *node;
    uint32_t nodes, arena;
    uint64_t held, open, shared, unit; /* bytes: of nodes without and with a choice, of edges; and
                                          the greatest common divisor of the latter two */
};

/* Adds up the row, or adds its entries where `entries` says so. The other end of an edge that
   belongs to it is marked. */
static void walk_load_row(struct master *master, struct load_row *row, bool entries, uint64_t most)
{
    const struct memory_model *model = master->model;
    for (uint32_t i = 0; i < row->nodes; i++) {
        uint32_t n = row->node[i], column = get_column(master, n, row->arena);
        uint64_t bytes = model->nodes->size[n];
        if (entries && column) {
            mip_add_entry(master->program, column, -(double)(bytes / row->unit));
        } else if (column) {
            row->open += bytes;
            row->unit = greatest_common_divisor(row->unit, bytes);
        } else if (!entries && !master->has_choice[n] &&
                   memory_model_traffic(model, n, row->arena) != UINT64_MAX) {
            row->held += bytes;
        }
        for (uint32_t k = model->first_edge[n]; k < model->first_edge[n + 1]; k++) {
            uint32_t e = model->edge_of[k];
            if (model->edge[e].first != n || !master->marked[model->edge[e].second])
                continue;
            bytes = get_shared_bytes(model, e);
            if (entries) {
                double value = (double)(bytes / row->unit);
                mip_add_entry(master->program, master->edge_column[e],
                              most && value > (double)most ? (double)most : value);
            } else {
                row->shared += bytes;
                row->unit = greatest_common_divisor(row->unit, bytes);
            }
        }
    }
}

/* An arena takes no more of a load set than it has, but for what paid pairs share. Where only edges
   are open, none counts more than what is needed in all. */
static void add_load_row(struct master *master, const uint32_t *node, uint32_t nodes,
                         uint32_t arena)
{
    const struct memory_model *model = master->model;
    uint64_t capacity = model->arena[arena].capacity;
    capacity -= (uint64_t)((1 - master->cuts->room) * (double)capacity);
    struct load_row row = {.node = node, .nodes = nodes, .arena = arena};
    for (uint32_t i = 0; i < nodes; i++)
        master->marked[node[i]] = true;
    walk_load_row(master, &row, false, 0);
    row.held += get_reserved_bytes(model, arena);
    if (row.unit && (row.held > capacity || row.open > capacity - row.held)) {
        uint64_t over = row.held > capacity ? (row.held - capacity - 1) / row.unit + 1 : 0;
        uint64_t left = row.held < capacity ? (capacity - row.held) / row.unit : 0;
        walk_load_row(master, &row, true, row.open ? 0 : over);
        mip_close_row(master->program, over ? (double)over : -(double)left);
    }
    for (uint32_t i = 0; i < nodes; i++)
        master->marked[node[i]] = false;
}

/* Rows of the load sets from `first` on, for each arena with a capacity. */
static void add_set_rows(struct master *master, uint32_t first)
{
    const struct memory_model *model = master->model;
    const struct load_sets *loads = &master->cuts->loads;
    for (uint32_t s = first; s < loads->count; s++)
        for (uint32_t a = 0; a < model->arenas; a++)
            if (model->arena[a].capacity != UINT64_MAX)
                add_load_row(master, loads->node + loads->first[s],
                             loads->first[s + 1] - loads->first[s], a);
}

static enum status add_load_rows(struct master *master, struct error *error)
{
    const struct memory_model *model = master->model;
    SCOPED(sections_release) struct sections *sections = NULL;
    add_set_rows(master, 0);
    if (model->by_pairs) /* steps say nothing of what conflicts */
        return STATUS_OK;
    TRY(sections_create(model->nodes, &sections, error));
    for (uint32_t a = 0; a < model->arenas; a++)
        for (uint32_t s = 0; s < sections->count && model->arena[a].capacity != UINT64_MAX; s++)
            add_load_row(master, sections->member + sections->first[s],
                         (uint32_t)(sections->first[s + 1] - sections->first[s]), a);
    return STATUS_OK;
}

/* Adds covers and rows of load sets that a relaxation breaks. */
static void separate_loads(struct mip_model *program, const double *values)
{
    struct master *master = (struct master *)(uintptr_t)program->formulation;
    const struct memory_model *model = master->model;
    struct load_sets *loads = &master->cuts->loads;
    uint32_t before = loads->count;
    covers_separate(program, values);
    if (!model->edges && !model->problem->separations)
        return;
    for (uint32_t e = 0; e < model->edges; e++)
        master->share[e] = values[master->edge_column[e]];
    for (uint32_t a = 0; a < model->arenas && !program->error.status; a++) {
        if (model->arena[a].capacity == UINT64_MAX || model->arena[a].rank)
            continue; /* a set found for one chunk makes rows for all */
        for (uint32_t n = 0; n < model->classes.count; n++) {
            uint32_t column = get_column(master, n, a);
            bool fixed = !master->has_choice[n] && memory_model_traffic(model, n, a) != UINT64_MAX;
            master->in[n] = column ? values[column] : fixed;
        }
        load_sets_search(loads, a, master->in, master->share, &program->error);
    }
    add_set_rows(master, before);
}

/* Each cut, for its arena and all twins of it. */
static void add_cut_rows(struct master *master)
{
    const struct master_cuts *cuts = master->cuts;
    const struct memory_model *model = master->model;
    for (uint32_t c = 0; c < cuts->cuts; c++)
        for (uint32_t a = 0; a < model->arenas; a++) {
            bool possible = true;
            assert(cuts->arena[c] < model->arenas);
            double nodes = 0;
            if (model->arena[a].twin != model->arena[cuts->arena[c]].twin)
                continue;
            for (uint32_t i = cuts->first_node[c]; i < cuts->first_node[c + 1]; i++)
                possible &= get_column(master, cuts->node[i], a) != 0;
            if (!possible)
                continue;
            for (uint32_t i = cuts->first_node[c]; i < cuts->first_node[c + 1]; i++, nodes++)
                mip_add_entry(master->program, get_column(master, cuts->node[i], a), -1);
            for (uint32_t i = cuts->first_edge[c]; i < cuts->first_edge[c + 1]; i++)
                mip_add_entry(master->program, master->edge_column[cuts->edge[i]], 1);
            mip_close_row(master->program, 1 - nodes);
        }
}

/* The least traffic of each node, and the cheapest edge of each cut that has edges only and none in
   common with those before. */
static enum status find_simple_bound(const struct master_cuts *cuts, struct master_answer *answer,
                                     struct error *error)
{
    const struct memory_model *model = cuts->model;
    SCOPED(memory_release) bool *used = NULL;
    TRY(memory_create(&used, model->edges, sizeof *used, error));
    answer->bound = 0;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        uint64_t least = UINT64_MAX;
        for (uint32_t a = 0; a < model->arenas; a++) {
            uint64_t traffic = memory_model_traffic(model, n, a);
            least = traffic < least ? traffic : least;
        }
        answer->bound += least == UINT64_MAX ? 0 : least;
    }
    for (uint32_t c = 0; c < cuts->cuts; c++) {
        uint64_t least = UINT64_MAX;
        bool fresh = cuts->first_node[c] == cuts->first_node[c + 1];
        for (uint32_t i = cuts->first_edge[c]; i < cuts->first_edge[c + 1]; i++) {
            fresh &= !used[cuts->edge[i]];
            if (model->edge[cuts->edge[i]].cost < least)
                least = model->edge[cuts->edge[i]].cost;
        }
        if (!fresh || least == UINT64_MAX)
            continue;
        answer->bound += least;
        assert(least > 0);
        for (uint32_t i = cuts->first_edge[c]; i < cuts->first_edge[c + 1]; i++)
            used[cuts->edge[i]] = true;
    }
    return STATUS_OK;
}

/* Takes over what the solver found. Its bound is off by a little more than its tolerance at most,
   and costs are whole units. */
static void read_answer(const struct master *master, const struct mip_answer *found,
                        struct master_answer *answer)
{
    assert(master->unit > 0 && found->values);
    const struct memory_model *model = master->model;
    double bound = ceil(found->peak_bound - 1e-8 * fabs(found->peak_bound) - 1e-4);
    answer->infeasible = found->infeasible;
    if (bound > 0 && bound < 0x1p62 / (double)master->unit &&
        (uint64_t)bound * master->unit > answer->bound)
        answer->bound = (uint64_t)bound * master->unit;
    answer->solved = found->found;
    if (!found->found)
        return;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        double most = 0;
        for (uint32_t a = 0; a < model->arenas; a++) {
            double value = memory_model_traffic(model, n, a) != UINT64_MAX;
            if (master->has_choice[n])
                value = get_column(master, n, a) ? found->values[get_column(master, n, a)] : 0;
            if (value <= most)
                continue;
            most = value;
            answer->arena[n] = a;
        }
        if (answer->share)
            answer->share[n] = most;
    }
    for (uint32_t e = 0; e < model->edges; e++)
        answer->paid[e] = found->values[master->edge_column[e]] > 0.5;
}

enum status master_solve(struct master_cuts *cuts, const bool *has_choice, uint64_t deadline_ns,
                         struct master_answer *answer, struct error *error)
{
    assert(answer->arena && answer->paid);
    const struct memory_model *model = cuts->model;
    SCOPED(clear_master)
    struct master master = {
        .cuts = cuts, .model = model, .has_choice = has_choice, .relaxed = answer->share != NULL};
    SCOPED(memory_release) double *values = NULL;
    TRY(find_simple_bound(cuts, answer, error));
    answer->infeasible = answer->solved = false;
    if (!(answer->choice_alone ? mip_solver_cbc : mip_solver_glpk).solve)
        return STATUS_OK;
    TRY(memory_create(&master.program, 1, sizeof *master.program, error));
    TRY(memory_create(&master.column_of, (size_t)model->classes.count * model->arenas,
                      sizeof(uint32_t), error));
    TRY(memory_create(&master.edge_column, model->edges, sizeof(uint32_t), error));
    TRY(memory_create(&master.marked, model->classes.count, sizeof(bool), error));
    TRY(memory_create(&master.in, model->classes.count, sizeof(double), error));
    TRY(memory_create(&master.share, model->edges, sizeof(double), error));
    find_unit(&master);
    mip_add_column(master.program, 0, find_most(&master), false);
    add_columns(&master);
    add_cost_rows(&master);
    TRY(add_load_rows(&master, error));
    add_cut_rows(&master);
    TRY(mip_model_check(master.program, error));
    if (master.program->entries > MIP_MOST_ENTRIES)
        return STATUS_OK;
    master.formulation.separate = separate_loads;
    master.program->formulation = &master.formulation;
    master.program->own_rows = master.program->rows;
    TRY(memory_create(&values, master.program->columns, sizeof *values, error));
    /* No cuts of GLPK's own: a claim rests on every one of them. */
    const struct mip_question question = {.model = master.program,
                                          .deadline_ns = deadline_ns,
                                          .cuts = answer->choice_alone ? MIP_CUTS_AS_USUAL
                                                                       : MIP_CUTS_NONE};
    struct mip_answer found = {.values = values};
    TRY((answer->choice_alone ? mip_solver_cbc : mip_solver_glpk).solve(&question, &found, error));
    if (answer->choice_alone)
        found.peak_bound = 0, found.infeasible = false;
    read_answer(&master, &found, answer);
    return STATUS_OK;
}
