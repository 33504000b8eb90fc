#include "solvers/mip/model/build.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/problem/unit.h"
#include "solvers/mip/model/lines.h"

/* Refuses a model that is too large, in words that say how large. */
static bool is_too_large(struct mip_model *model, uint64_t entries, const char *than)
{
    if (entries > MIP_MOST_ENTRIES)
        mip_refuse(model, "its program has %s%llu row entries, and the limit is %u", than,
                   (unsigned long long)entries, MIP_MOST_ENTRIES);
    return entries > MIP_MOST_ENTRIES;
}

enum status mip_model_create(const struct problem *problem, const struct mip_setup *setup,
                             struct mip_model **created, struct error *error)
{
    assert(setup->formulation);
    SCOPED(mip_model_release) struct mip_model *model = NULL;
    *created = NULL;
    TRY(memory_create(&model, 1, sizeof *model, error));
    TRY(sections_create(problem, &model->sections, error));
    model->problem = problem;
    model->formulation = setup->formulation;
    model->switches = setup->switches;
    model->names = setup->names;
    model->complete = setup->complete;
    model->first_offset = model->first_pair = MIP_NO_COLUMN;
    model->scale = setup->switches & MIP_SCALE ? problem_unit_bytes(problem) : 1;
    assert(model->scale > 0);
    model->bound = setup->switches & MIP_LOAD ? setup->bound_bytes / model->scale : 0;
    model->upper = setup->upper_bytes / model->scale;
    model->pairs =
        (struct mip_pairs){.problem = problem, .sections = model->sections, .scale = model->scale};
    assert(model->bound <= model->upper);
    if (!is_too_large(model, 2 * mip_count_members(model->sections), "more than ")) {
        TRY(mip_pairs_collect(&model->pairs, error));
        TRY(mip_pairs_settle(&model->pairs, model->upper, setup->switches, error));
        model->is_infeasible = !mip_lines_propagate(&model->pairs, setup->switches);
        if (!model->is_infeasible) {
            mip_add_column(model, (double)model->bound, (double)model->upper, true);
            mip_name_column(model, "peak");
            setup->formulation->build(model);
            TRY(mip_model_check(model, error));
            assert(!model->names || model->names->count == model->columns);
            if (!*model->refusal)
                is_too_large(model, model->entries, "");
            model->own_rows = model->rows;
        }
    }
    HAND_OVER(model, created);
}
