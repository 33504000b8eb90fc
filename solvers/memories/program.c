#include "solvers/memories/program.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/problem/sections.h"
#include "solvers/memories/covers.h"

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

void master_program_clear(struct master_program *master)
{
    mip_model_free(master->program);
    memory_free_all(master->column_of, master->edge_column, master->marked, master->in,
                    master->share, master->least);
}

/* What the node costs in the arena above what it costs anyway; UINT64_MAX as traffic. */
static uint64_t get_cost(const struct master_program *master, uint32_t node, uint32_t arena)
{
    uint64_t traffic = memory_model_traffic(master->model, node, arena);
    return traffic == UINT64_MAX ? traffic : traffic - master->least[node];
}

static void find_unit(struct master_program *master)
{
    const struct memory_model *model = master->model;
    uint64_t unit = 0;
    for (uint32_t n = 0; n < model->classes.count; n++)
        for (uint32_t a = 0; a < model->arenas; a++) {
            uint64_t cost = get_cost(master, n, a);
            if (cost != UINT64_MAX)
                unit = greatest_common_divisor(unit, cost);
        }
    for (uint32_t e = 0; e < model->edges; e++)
        unit = greatest_common_divisor(unit, model->edge[e].cost);
    master->unit = unit ? unit : 1;
    assert(master->unit > 0);
}

double master_program_most(const struct master_program *master)
{
    assert(master->unit > 0);
    const struct memory_model *model = master->model;
    double most = 1;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        uint64_t dearest = 0;
        for (uint32_t a = 0; a < model->arenas; a++) {
            uint64_t cost = get_cost(master, n, a);
            if (cost != UINT64_MAX && cost > dearest)
                dearest = cost;
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

void master_program_name_pair(struct mip_model *program, const char *what, uint32_t first,
                              uint32_t second)
{
    char labels[2][MIP_LABEL_BYTES];
    if (program->names)
        mip_name_column(program, "%s_%s~~%s", what, mip_label(program, first, labels[0]),
                        mip_label(program, second, labels[1]));
}

static void add_columns(struct master_program *master)
{
    assert(master->program->columns == 1);
    const struct memory_model *model = master->model;
    char label[MIP_LABEL_BYTES];
    for (uint32_t n = 0; n < model->classes.count; n++)
        for (uint32_t a = 0; a < model->arenas && master->has_choice[n]; a++)
            if (may_lie_in(model, n, a)) {
                master->column_of[(size_t)n * model->arenas + a] =
                    mip_add_column(master->program, 0, 1, !master->relaxed);
                mip_name_column(master->program, "in_%s~~%u", mip_label(master->program, n, label),
                                a);
            }
    for (uint32_t e = 0; e < model->edges; e++) {
        master->edge_column[e] = mip_add_column(master->program, 0, 1, !master->relaxed);
        master_program_name_pair(master->program, "paid", model->edge[e].first,
                                 model->edge[e].second);
    }
}

/* Column 0 is what is chosen costs, and each node lies in one arena. */
static void add_cost_rows(struct master_program *master)
{
    const struct memory_model *model = master->model;
    double fixed = 0;
    mip_add_entry(master->program, 0, 1);
    for (uint32_t n = 0; n < model->classes.count; n++)
        for (uint32_t a = 0; a < model->arenas; a++) {
            uint64_t cost = get_cost(master, n, a);
            if (cost == UINT64_MAX)
                continue;
            assert(cost % master->unit == 0);
            if (!master->has_choice[n])
                fixed += (double)(cost / master->unit);
            else if (master_program_column(master, n, a) && cost)
                mip_add_entry(master->program, master_program_column(master, n, a),
                              -(double)(cost / master->unit));
        }
    for (uint32_t e = 0; e < model->edges; e++) {
        assert(model->edge[e].cost % master->unit == 0);
        mip_add_entry(master->program, master->edge_column[e],
                      -(double)(model->edge[e].cost / master->unit));
    }
    mip_close_row(master->program, fixed);
    for (uint32_t n = 0; n < model->classes.count; n++) {
        if (!master->has_choice[n])
            continue;
        for (uint32_t a = 0; a < model->arenas; a++)
            if (master_program_column(master, n, a))
                mip_add_entry(master->program, master_program_column(master, n, a), 1);
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
static void walk_load_row(struct master_program *master, struct load_row *row, bool entries,
                          uint64_t most)
{
    const struct memory_model *model = master->model;
    for (uint32_t i = 0; i < row->nodes; i++) {
        uint32_t n = row->node[i], column = master_program_column(master, n, row->arena);
        uint64_t bytes = model->nodes->size[n];
        if (entries && column) {
            assert(bytes % row->unit == 0);
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
                assert(bytes % row->unit == 0);
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
static void add_load_row(struct master_program *master, const uint32_t *node, uint32_t nodes,
                         uint32_t arena)
{
    const struct memory_model *model = master->model;
    uint64_t capacity = model->arena[arena].capacity;
    capacity -= (uint64_t)((1 - master->cuts->room) * (double)capacity);
    struct load_row row = {.node = node, .nodes = nodes, .arena = arena};
    assert(master->cuts->room > 0 && master->cuts->room <= 1);
    for (uint32_t i = 0; i < nodes; i++) {
        assert(!master->marked[node[i]]);
        master->marked[node[i]] = true;
    }
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
static void add_set_rows(struct master_program *master, uint32_t first)
{
    const struct memory_model *model = master->model;
    const struct load_sets *loads = &master->cuts->loads;
    for (uint32_t s = first; s < loads->count; s++)
        for (uint32_t a = 0; a < model->arenas; a++)
            if (model->arena[a].capacity != UINT64_MAX)
                add_load_row(master, loads->node + loads->first[s],
                             loads->first[s + 1] - loads->first[s], a);
}

static enum status add_load_rows(struct master_program *master, struct error *error)
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
    struct master_program *master = (struct master_program *)(uintptr_t)program->formulation;
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
        assert(model->arena[a].twin == a);
        for (uint32_t n = 0; n < model->classes.count; n++) {
            uint32_t column = master_program_column(master, n, a);
            bool fixed = !master->has_choice[n] && memory_model_traffic(model, n, a) != UINT64_MAX;
            master->in[n] = column ? values[column] : fixed;
        }
        load_sets_search(loads, a, master->in, master->share, &program->error);
    }
    add_set_rows(master, before);
}

/* Each cut, for its arena and all twins of it. */
static void add_cut_rows(struct master_program *master)
{
    const struct master_cuts *cuts = master->cuts;
    const struct memory_model *model = master->model;
    for (uint32_t c = 0; c < cuts->cuts; c++)
        for (uint32_t a = 0; a < model->arenas; a++) {
            bool possible = true;
            assert(cuts->arena[c] < model->arenas);
            assert(cuts->first_node[c] <= cuts->first_node[c + 1]);
            double nodes = 0;
            if (model->arena[a].twin != model->arena[cuts->arena[c]].twin)
                continue;
            assert(model->arena[a].capacity == model->arena[cuts->arena[c]].capacity);
            for (uint32_t i = cuts->first_node[c]; i < cuts->first_node[c + 1]; i++)
                possible &= master_program_column(master, cuts->node[i], a) != 0;
            if (!possible)
                continue;
            for (uint32_t i = cuts->first_node[c]; i < cuts->first_node[c + 1]; i++, nodes++)
                mip_add_entry(master->program, master_program_column(master, cuts->node[i], a), -1);
            for (uint32_t i = cuts->first_edge[c]; i < cuts->first_edge[c + 1]; i++)
                mip_add_entry(master->program, master->edge_column[cuts->edge[i]], 1);
            mip_close_row(master->program, 1 - nodes);
        }
}

enum status master_program_create(struct master_cuts *cuts, const bool *has_choice, bool relaxed,
                                  struct names *names, struct master_program *made,
                                  struct error *error)
{
    const struct memory_model *model = cuts->model;
    *made = (struct master_program){
        .cuts = cuts, .model = model, .has_choice = has_choice, .relaxed = relaxed};
    TRY(memory_create(&made->program, 1, sizeof *made->program, error));
    TRY(memory_create(&made->column_of, (size_t)model->classes.count * model->arenas,
                      sizeof(uint32_t), error));
    TRY(memory_create_all(model->edges, error, &made->edge_column, &made->share));
    TRY(memory_create_all(model->classes.count, error, &made->least, &made->marked, &made->in));
    made->program->problem = model->nodes;
    made->program->names = names;
    for (uint32_t n = 0; n < model->classes.count && !names; n++)
        made->base += made->least[n] = memory_model_least_traffic(model, n);
    find_unit(made);
    mip_add_column(made->program, 0, master_program_most(made), false);
    mip_name_column(made->program, "cost");
    add_columns(made);
    add_cost_rows(made);
    TRY(add_load_rows(made, error));
    add_cut_rows(made);
    made->formulation.separate = separate_loads;
    return mip_model_check(made->program, error);
}
