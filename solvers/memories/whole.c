#include "solvers/memories/whole.h"

#include <assert.h>
#include <math.h>

#include "core/checked.h"
#include "core/memory.h"
#include "solvers/mip/backends/solver.h"

/* Above this floating point leaves whole numbers out. */
static const uint64_t most_exact = UINT64_C(1) << 53;

void whole_program_clear(struct whole_program *program)
{
    master_program_clear(&program->choice);
    master_cuts_free(&program->cuts);
    memory_free(program->has_choice);
    memory_free(program->arena);
}

static bool may_lie_in(const struct whole_program *made, uint32_t node, uint32_t arena)
{
    return made->has_choice[node] ? master_program_column(&made->choice, node, arena) != 0
                                  : made->arena[node] == arena;
}

/* A plan whose nodes lie as low as they can has offsets that are sums of sizes above a border, each
   rounded up to an alignment. So the unit divides sizes and borders, and an alignment divides it or
   is a multiple of it. */
static void find_unit(struct whole_program *made, const struct memory_model *model)
{
    uint64_t unit = 0, before;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        unit = greatest_common_divisor(unit, model->nodes->size[n]);
        if (model->pinned_arena[n] != MEMORY_NONE)
            unit = greatest_common_divisor(unit, model->pinned_offset[n]);
    }
    for (uint32_t r = 0; r < model->first_reserved[model->arenas]; r++)
        unit = greatest_common_divisor(unit, model->reserved[r].upper);
    do {
        before = unit;
        for (size_t i = 0; i < (size_t)model->classes.count * model->problem->memories; i++)
            if (unit % model->alignment[i] && model->alignment[i] % unit)
                unit = greatest_common_divisor(unit, model->alignment[i]);
    } while (unit != before);
    made->unit_bytes = unit ? unit : 1;
}

/* All nodes and reserved ranges one above another, which is enough for a memory without capacity.
   False where that is too much. */
static bool find_most_units(struct whole_program *made, const struct memory_model *model)
{
    uint64_t sum = 0, end;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        uint64_t most = 0;
        for (uint32_t m = 0; m < model->problem->memories; m++) {
            uint64_t alignment = model->alignment[(size_t)n * model->problem->memories + m];
            most = alignment > most ? alignment : most;
        }
        if (!checked_add(sum, model->nodes->size[n], &sum) || !checked_add(sum, most, &sum))
            return false;
        if (model->pinned_arena[n] != MEMORY_NONE &&
            !checked_add(sum, model->pinned_offset[n], &sum))
            return false;
    }
    for (uint32_t r = 0; r < model->first_reserved[model->arenas]; r++) {
        end = model->reserved[r].upper;
        if (!checked_add(sum, end, &sum))
            return false;
    }
    made->most_units = sum / made->unit_bytes;
    return made->most_units < most_exact;
}

/* The greatest offset, in units, of a node in an arena. */
static uint64_t get_top(const struct whole_program *made, uint32_t node, uint32_t arena)
{
    const struct memory_model *model = made->choice.model;
    uint64_t units = model->arena[arena].capacity / made->unit_bytes;
    uint64_t size = model->nodes->size[node] / made->unit_bytes;
    assert(size <= units);
    return units - size < made->most_units ? units - size : made->most_units;
}

static uint64_t get_highest(const struct whole_program *made, uint32_t node)
{
    uint64_t highest = 0;
    for (uint32_t a = 0; a < made->choice.model->arenas; a++)
        if (may_lie_in(made, node, a) && get_top(made, node, a) > highest)
            highest = get_top(made, node, a);
    return highest;
}

/* The open row gets `value` where the node does not lie in the arena: an entry, and what is
   returned, which the bound of the row has to be more. */
static double add_elsewhere(const struct whole_program *made, uint32_t node, uint32_t arena,
                            double value)
{
    assert(!made->has_choice[node] || master_program_column(&made->choice, node, arena) > 0);
    if (!made->has_choice[node])
        return 0;
    mip_add_entry(made->choice.program, master_program_column(&made->choice, node, arena), -value);
    return -value;
}

/* The offset is a multiple of the alignment that the arena asks for. */
static void add_alignment(struct whole_program *made, uint32_t node, uint32_t arena)
{
    struct mip_model *program = made->choice.program;
    uint64_t alignment = memory_model_alignment(made->choice.model, node, arena);
    double factor = (double)(alignment / made->unit_bytes);
    double top = (double)get_top(made, node, arena), highest = (double)get_highest(made, node);
    uint32_t offset = made->first_offset + node;
    assert(top <= highest);
    char label[MIP_LABEL_BYTES];
    if (made->unit_bytes % alignment == 0)
        return;
    assert(alignment % made->unit_bytes == 0);
    uint32_t times = mip_add_column(program, 0, floor(top / factor), true);
    mip_name_column(program, "times_%s~~%u", mip_label(program, node, label), arena);
    for (int sign = -1; sign <= 1; sign += 2) {
        mip_add_entry(program, offset, sign);
        mip_add_entry(program, times, -sign * factor);
        mip_close_row(program, add_elsewhere(made, node, arena, highest + top));
    }
}

/* The node lies below or above each reserved range of the arena. */
static void add_reserved(struct whole_program *made, uint32_t node, uint32_t arena)
{
    const struct memory_model *model = made->choice.model;
    struct mip_model *program = made->choice.program;
    double highest = (double)get_highest(made, node);
    double size = (double)(model->nodes->size[node] / made->unit_bytes);
    char label[MIP_LABEL_BYTES];
    for (uint32_t r = model->first_reserved[arena]; r < model->first_reserved[arena + 1]; r++) {
        double lower = (double)(model->reserved[r].lower / made->unit_bytes);
        assert(model->reserved[r].upper % made->unit_bytes == 0);
        double upper = (double)(model->reserved[r].upper / made->unit_bytes);
        uint32_t above = mip_add_column(program, 0, 1, true);
        mip_name_column(program, "above_%s~~%u~~%u", mip_label(program, node, label), arena, r);
        mip_add_entry(program, made->first_offset + node, -1);
        mip_add_entry(program, above, highest + size);
        mip_close_row(program, size - lower + add_elsewhere(made, node, arena, highest + size));
        mip_add_entry(program, made->first_offset + node, 1);
        mip_add_entry(program, above, -upper);
        mip_close_row(program, add_elsewhere(made, node, arena, upper));
    }
}

static void add_offsets(struct whole_program *made)
{
    const struct memory_model *model = made->choice.model;
    struct mip_model *program = made->choice.program;
    char label[MIP_LABEL_BYTES];
    made->first_offset = program->columns;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        double highest = (double)get_highest(made, n), lowest = 0;
        if (model->pinned_arena[n] != MEMORY_NONE) {
            assert(model->pinned_offset[n] % made->unit_bytes == 0);
            lowest = highest = (double)(model->pinned_offset[n] / made->unit_bytes);
        }
        mip_add_column(program, lowest, highest, false);
        mip_name_column(program, "offset_%s", mip_label(program, n, label));
    }
    for (uint32_t n = 0; n < model->classes.count; n++)
        for (uint32_t a = 0; a < model->arenas; a++) {
            if (!may_lie_in(made, n, a))
                continue;
            add_alignment(made, n, a);
            add_reserved(made, n, a);
            if (!made->has_choice[n] || get_top(made, n, a) == get_highest(made, n))
                continue;
            mip_add_entry(program, made->first_offset + n, -1);
            mip_close_row(program, add_elsewhere(made, n, a, (double)get_highest(made, n)) -
                                       (double)get_top(made, n, a));
        }
}

/* Where two nodes lie in one arena one is below the other, or, where they have an edge, that is
   paid. */
static void add_pair(struct whole_program *made, uint32_t a, uint32_t b, uint32_t edge)
{
    const struct memory_model *model = made->choice.model;
    struct mip_model *program = made->choice.program;
    const uint32_t pair[2] = {a, b};
    uint32_t below[2] = {0, 0};
    assert(a != b);
    for (uint32_t arena = 0; arena < model->arenas; arena++) {
        double bound = 1;
        if (!may_lie_in(made, a, arena) || !may_lie_in(made, b, arena))
            continue;
        for (int i = 0; i < 2 && !below[1]; i++) {
            below[i] = mip_add_column(program, 0, 1, true);
            master_program_name_pair(program, "below", pair[i], pair[1 - i]);
        }
        mip_add_entry(program, below[0], 1);
        mip_add_entry(program, below[1], 1);
        if (edge != UINT32_MAX)
            mip_add_entry(program, made->choice.edge_column[edge], 1);
        for (int i = 0; i < 2; i++)
            bound += add_elsewhere(made, pair[i], arena, 1);
        mip_close_row(program, bound);
    }
    for (int i = 0; i < 2 && below[1]; i++) {
        double size = (double)(model->nodes->size[pair[i]] / made->unit_bytes);
        assert(below[0] > 0 && model->nodes->size[pair[i]] % made->unit_bytes == 0);
        double most = (double)get_highest(made, pair[i]) + size;
        mip_add_entry(program, made->first_offset + pair[1 - i], 1);
        mip_add_entry(program, made->first_offset + pair[i], -1);
        mip_add_entry(program, below[i], -most);
        mip_close_row(program, size - most);
    }
}

static void add_pairs(struct whole_program *made)
{
    const struct memory_model *model = made->choice.model;
    for (uint32_t n = 0; n < model->classes.count; n++)
        for (uint64_t k = model->first[n]; k < model->first[n + 1]; k++)
            if (model->other[k] > n)
                add_pair(made, n, model->other[k], UINT32_MAX);
    for (uint32_t e = 0; e < model->edges; e++) {
        assert(!memory_model_conflict(model, model->edge[e].first, model->edge[e].second));
        add_pair(made, model->edge[e].first, model->edge[e].second, e);
    }
}

enum status whole_program_create(const struct memory_model *model, struct names *names,
                                 struct whole_program *made, struct error *error)
{
    *made = (struct whole_program){.unit_bytes = 1};
    TRY(memory_create_all(model->classes.count, error, &made->has_choice, &made->arena));
    for (uint32_t n = 0; n < model->classes.count; n++)
        made->arena[n] = UINT32_MAX;
    master_find_choices(model, made->has_choice, made->arena);
    for (uint32_t n = 0; n < model->classes.count; n++)
        if (made->arena[n] == UINT32_MAX)
            return error_set(error, STATUS_BAD_INPUT,
                             "found no memory that takes '%s' and all in its place",
                             names_get(&model->nodes->names, n));
    find_unit(made, model);
    if (!find_most_units(made, model))
        return error_set(error, STATUS_BAD_INPUT,
                         "found offsets of 2^53 units or more, expected fewer");
    TRY(master_cuts_create(model, &made->cuts, error));
    TRY(master_program_create(&made->cuts, made->has_choice, false, names, &made->choice, error));
    if (master_program_most(&made->choice) >= (double)most_exact)
        return error_set(error, STATUS_BAD_INPUT,
                         "found costs of 2^53 units or more, expected less");
    add_offsets(made);
    add_pairs(made);
    /* Costs are whole numbers of units anyway, and CBC gives out no solution of a program in which
       nothing is whole. */
    made->choice.program->integer[0] = true;
    TRY(mip_model_check(made->choice.program, error));
    return made->choice.program->entries > MIP_MOST_ENTRIES
               ? error_set(error, STATUS_BAD_INPUT, "found more than %u entries, expected fewer",
                           MIP_MOST_ENTRIES)
               : STATUS_OK;
}

bool whole_program_read(const struct whole_program *program, const double *values, uint32_t *arena,
                        uint64_t *offset)
{
    static const double tolerance = 1e-5;
    const struct memory_model *model = program->choice.model;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        double units = floor(values[program->first_offset + n] + tolerance), most = 0;
        arena[n] = program->arena[n];
        for (uint32_t a = 0; a < model->arenas && program->has_choice[n]; a++) {
            uint32_t column = master_program_column(&program->choice, n, a);
            if (column && values[column] > most) {
                most = values[column];
                arena[n] = a;
            }
        }
        if (!(units >= 0 && units < (double)most_exact) ||
            !checked_multiply((uint64_t)units, program->unit_bytes, &offset[n]) ||
            offset[n] > INT64_MAX)
            return false;
    }
    return true;
}
