#include "solvers/mip/model/program.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "planning/problem/unit.h"
#include "solvers/mip/model/model.h"

enum { MOST_KEPT = 40, MOST_CUT = 28, LABEL_BYTES = MOST_KEPT + 1, NAME_BYTES = 128 };

static bool is_plain(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '_' || character == '.';
}

/* What stands for a buffer in the names of its columns, as program.h says. */
static void make_label(const struct problem *problem, uint32_t buffer, char label[LABEL_BYTES])
{
    const char *name = names_get(&problem->names, buffer);
    size_t length = strlen(name), kept = 0;
    bool is_kept = length > 0 && length <= MOST_KEPT && names_find(&problem->names, name) == buffer;
    assert(buffer < problem->buffers);
    for (size_t i = 0; i < length && is_kept; i++)
        is_kept = is_plain(name[i]);
    if (is_kept) {
        memcpy(label, name, length + 1);
        return;
    }
    for (; name[kept] && kept < MOST_CUT; kept++)
        label[kept] = is_plain(name[kept]) ? name[kept] : '_';
    snprintf(label + kept, LABEL_BYTES - kept, "~%u", buffer);
}

static enum status add_buffer_name(const struct problem *problem, const char *what, uint32_t buffer,
                                   struct names *names, struct error *error)
{
    char label[LABEL_BYTES], name[NAME_BYTES];
    make_label(problem, buffer, label);
    snprintf(name, sizeof name, "%s_%s", what, label);
    return names_add(names, name, error);
}

static enum status fill_names(const struct mip_model *model, struct names *names,
                              struct error *error)
{
    const struct problem *problem = model->problem;
    const struct mip_pair *pair = model->pairs.pair;
    uint32_t repeated = 0;
    TRY(names_add(names, "peak", error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        TRY(add_buffer_name(problem, "offset", b, names, error));
    for (uint32_t p = 0; p < model->pairs.count; p++) {
        /* Pairs of the same two buffers follow each other. */
        bool again =
            p && pair[p].first == pair[p - 1].first && pair[p].second == pair[p - 1].second;
        char first[LABEL_BYTES], second[LABEL_BYTES], name[NAME_BYTES];
        repeated = again ? repeated + 1 : 0;
        make_label(problem, pair[p].first, first);
        make_label(problem, pair[p].second, second);
        int length = snprintf(name, sizeof name, "below_%s~~%s", first, second);
        if (repeated)
            snprintf(name + length, sizeof name - (size_t)length, "~~%u", repeated);
        TRY(names_add(names, name, error));
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (mip_model_factor(model, b) > 1)
            TRY(add_buffer_name(problem, "factor", b, names, error));
    assert(names->count == model->columns);
    return STATUS_OK;
}

/* Above this floating point leaves whole numbers out. */
static const uint64_t most_exact_units = UINT64_C(1) << 53;

enum status mip_program_create(const struct problem *problem, uint64_t upper_bytes,
                               struct mip_program *program, struct error *error)
{
    *program = (struct mip_program){0};
    if (upper_bytes / problem_unit_bytes(problem) >= most_exact_units)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a peak of up to %" PRIu64 " bytes in units of %" PRIu64
                         ", expected less than 2^53 units",
                         upper_bytes, problem_unit_bytes(problem));
    TRY(mip_model_create(problem, upper_bytes, &program->model, error));
    if (!program->model)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a problem whose integer program has more than %u entries",
                         MIP_MOST_ENTRIES);
    return fill_names(program->model, &program->names, error);
}

void mip_program_clear(struct mip_program *program)
{
    mip_model_free(program->model);
    names_free(&program->names);
}

void mip_program_describe(const struct mip_program *program, const char *prefix, struct text *text)
{
    const struct mip_model *model = program->model;
    text_append(text,
                "%s Least peak of a plan of %u buffers: offset_A, and below_A~~B where A lies "
                "below B.\n"
                "%s Offsets and peak are in units of %" PRIu64 " bytes, peak_bytes is in bytes.\n"
                "%s No plan has less than %" PRIu64 " bytes, and some has at most %" PRIu64 ".\n",
                prefix, model->problem->buffers, prefix, model->scale, prefix,
                model->bound * model->scale, model->upper * model->scale);
}

bool mip_program_is_general(const struct mip_program *program, uint32_t column)
{
    assert(column < program->model->columns);
    const struct mip_model *model = program->model;
    bool binary = model->column_lower[column] == 0 && model->column_upper[column] == 1;
    return model->integer[column] && !binary;
}
