#include "solvers/exact/model/model.h"

#include <assert.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "planning/problem/unit.h"
#include "solvers/exact/model/cover.h"

struct builder {
    const struct problem *problem;
    struct exact_model *model;
    struct sections *sections;
    struct error *error;
};

static bool is_fixed(const struct problem *problem, uint32_t buffer)
{
    return problem_fixed_offset(problem, buffer) != PROBLEM_FREE;
}

/* No segment uses less than all of the buffer's bytes. */
static bool is_whole(const struct problem *problem, uint32_t buffer)
{
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        if (problem_window_upper(problem, s) - problem_window_lower(problem, s) <
            problem->size[buffer])
            return false;
    return true;
}

static enum status fill_buffers(struct builder *builder)
{
    const struct problem *problem = builder->problem;
    struct exact_model *model = builder->model;
    uint64_t unit = model->unit_bytes;
    uint32_t buffers = problem->buffers;
    TRY(memory_create(&model->size, buffers, sizeof(uint64_t), builder->error));
    TRY(memory_create(&model->alignment, buffers, sizeof(uint64_t), builder->error));
    TRY(memory_create(&model->lowest, buffers, sizeof(uint64_t), builder->error));
    TRY(memory_create(&model->highest, buffers, sizeof(uint64_t), builder->error));
    TRY(memory_create(&model->duration, buffers, sizeof(uint64_t), builder->error));
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t alignment = problem_alignment(problem, b);
        bool fixed = is_fixed(problem, b);
        assert(problem->size[b] % unit == 0 &&
               (!fixed || problem_fixed_offset(problem, b) % unit == 0));
        model->size[b] = problem->size[b] / unit;
        model->alignment[b] = unit % alignment ? alignment / unit : 1;
        model->lowest[b] = fixed ? problem_fixed_offset(problem, b) / unit : 0;
        model->highest[b] = fixed ? model->lowest[b] : UINT64_MAX;
        model->duration[b] = problem_duration(problem, b);
        model->has_fixed |= fixed;
    }
    return STATUS_OK;
}

static enum status fill_windows(struct builder *builder)
{
    assert(!builder->model->whole);
    const struct problem *problem = builder->problem;
    const struct sections *sections = builder->sections;
    struct exact_model *model = builder->model;
    uint64_t members = sections->first[sections->count];
    TRY(memory_create(&model->window, members, sizeof(uint64_t), builder->error));
    TRY(memory_create(&model->width, members, sizeof(uint64_t), builder->error));
    for (uint64_t i = 0; i < members; i++) {
        uint32_t segment = sections->segment[i];
        uint64_t lower = problem_window_lower(problem, segment),
                 upper = problem_window_upper(problem, segment);
        assert(lower % model->unit_bytes == 0 && upper % model->unit_bytes == 0);
        model->window[i] = lower / model->unit_bytes;
        model->width[i] = (upper - lower) / model->unit_bytes;
    }
    return STATUS_OK;
}

static enum status fill_sections(struct builder *builder)
{
    struct sections *sections = builder->sections;
    struct exact_model *model = builder->model;
    model->sections = sections->count;
    TRY(memory_create(&model->load, sections->count, sizeof(uint64_t), builder->error));
    for (uint32_t s = 0; s < sections->count; s++)
        model->load[s] = sections->load[s] / model->unit_bytes;
    assert(sections->count > 0 && sections->first[0] == 0);
    if (!model->whole)
        TRY(fill_windows(builder));
    model->first = sections->first;
    model->member = sections->member;
    sections->first = NULL;
    sections->member = NULL;
    return STATUS_OK;
}

static enum status add_loads(struct builder *builder)
{
    struct exact_model *model = builder->model;
    assert(model->sections > 0);
    memory_free(model->load);
    model->load = NULL;
    TRY(memory_create(&model->load, model->sections, sizeof(uint64_t), builder->error));
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            model->load[s] += model->size[model->member[i]];
    return STATUS_OK;
}

/* Adds to each section the buffers that conflict with all of its members. Sections may become equal
   by that, so that fewer are left. Where operators run in streams, no line of steps says what
   conflicts, and heavier sections are looked for (cover.h). */
static enum status extend_sections(struct builder *builder)
{
    assert(builder->model->whole);
    struct exact_model *model = builder->model;
    struct exact_cliques cliques = {model->sections, model->first, model->member};
    enum status status = exact_cliques_extend(model->conflicts, model->size, model->buffers,
                                              &cliques, builder->error);
    if (!status && problem_streams(builder->problem))
        status = exact_cover_conflicts(model->conflicts, model->size, model->buffers, &cliques,
                                       builder->error);
    model->sections = cliques.count;
    model->first = cliques.first;
    model->member = cliques.member;
    return status ? status : add_loads(builder);
}

/* The sections of each buffer. */
static enum status list_sections(struct builder *builder)
{
    struct exact_model *model = builder->model;
    uint32_t buffers = model->buffers;
    uint64_t members = model->first[model->sections];
    TRY(memory_create(&model->first_section, (size_t)buffers + 2, sizeof(uint64_t),
                      builder->error));
    TRY(memory_create(&model->section, members, sizeof(uint32_t), builder->error));
    uint64_t *next = model->first_section + 1;
    for (uint64_t i = 0; i < members; i++)
        next[model->member[i] + 1]++;
    for (uint32_t b = 0; b < buffers; b++)
        next[b + 1] += next[b];
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            model->section[next[model->member[i]]++] = s;
    assert(model->first_section[0] == 0 && model->first_section[buffers] == members);
    return STATUS_OK;
}

static bool has_no_hole(const struct exact_model *model, uint32_t buffer)
{
    assert(model->first_section[buffer] < model->first_section[buffer + 1]);
    uint64_t begin = model->first_section[buffer], last = model->first_section[buffer + 1] - 1;
    return model->section[last] - model->section[begin] == last - begin;
}

/* All sections of the inner buffer are sections of the outer one. */
static bool is_within(const struct exact_model *model, uint32_t inner, uint32_t outer)
{
    assert(inner != outer);
    const uint32_t *section = model->section;
    uint64_t at = model->first_section[outer], end = model->first_section[outer + 1];
    uint64_t i = model->first_section[inner], last = model->first_section[inner + 1] - 1;
    if (section[i] < section[at] || section[last] > section[end - 1] || last - i >= end - at)
        return false;
    if (has_no_hole(model, outer))
        return true;
    for (; i <= last; i++) {
        while (at < end && section[at] < section[i])
            at++;
        if (at == end || section[at] != section[i])
            return false;
    }
    return true;
}

/* True where the other may go up by the size of b, to let b go down below it: both may be moved,
   the other stays aligned, and it lives in sections of b only, where b leaves the bytes free. */
static bool can_go_up(const struct exact_model *model, const bool *movable, uint32_t other,
                      uint32_t b)
{
    return movable[other] && movable[b] && model->size[b] % model->alignment[other] == 0 &&
           is_within(model, other, b);
}

static void relate(const struct exact_model *model, const bool *movable)
{
    const struct conflicts *conflicts = model->conflicts;
    for (uint32_t b = 0; b < model->buffers; b++)
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++) {
            uint32_t other = conflicts->other[i];
            uint64_t sections = model->first_section[b + 1] - model->first_section[b];
            uint64_t others = model->first_section[other + 1] - model->first_section[other];
            if (can_go_up(model, movable, other, b))
                model->relation[i] = others == sections ? EXACT_SAME : EXACT_INSIDE;
        }
}

/* Equal buffers make a chain in the order of their numbers. */
static void link_equal(struct exact_model *model)
{
    const struct conflicts *conflicts = model->conflicts;
    for (uint32_t b = 0; b < model->buffers; b++) {
        model->before[b] = model->after[b] = EXACT_NONE;
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++) {
            uint32_t other = conflicts->other[i];
            if (other < b && model->relation[i] == EXACT_SAME &&
                model->size[other] == model->size[b] &&
                model->alignment[other] == model->alignment[b])
                model->before[b] = other;
        }
        assert(model->before[b] == EXACT_NONE || model->after[model->before[b]] == EXACT_NONE);
        if (model->before[b] != EXACT_NONE)
            model->after[model->before[b]] = b;
    }
}

static enum status fill_relations(struct builder *builder)
{
    const struct problem *problem = builder->problem;
    struct exact_model *model = builder->model;
    uint64_t entries = model->conflicts->first[model->buffers];
    bool *movable;
    TRY(memory_create(&model->relation, entries, sizeof(uint8_t), builder->error));
    TRY(memory_create(&model->before, model->buffers, sizeof(uint32_t), builder->error));
    TRY(memory_create(&model->after, model->buffers, sizeof(uint32_t), builder->error));
    TRY(memory_create(&movable, model->buffers, sizeof(bool), builder->error));
    for (uint32_t b = 0; b < model->buffers; b++)
        movable[b] = !is_fixed(problem, b) && is_whole(problem, b);
    relate(model, movable);
    link_equal(model);
    memory_free(movable);
    return STATUS_OK;
}

uint64_t exact_model_entry(const struct exact_model *model, uint32_t buffer, uint32_t other)
{
    const struct conflicts *conflicts = model->conflicts;
    assert(buffer < model->buffers && other < model->buffers && buffer != other);
    uint64_t entry = BINARY_SEARCH(at, conflicts->first[buffer], conflicts->first[buffer + 1],
                                   conflicts->other[at] >= other);
    assert(entry < conflicts->first[buffer + 1] && conflicts->other[entry] == other);
    return entry;
}

/* Notes the least distance between the offsets of members i and j of a section where j lies above
   i, in the conflict entries of both buffers. Where the window of j begins no lower than that of i
   ends, the bytes of j can lie above those of i although its offset is not the greater one, so that
   the model is not orderable. */
static void separate(struct exact_model *model, uint64_t i, uint64_t j)
{
    assert(model->member[i] != model->member[j]);
    uint32_t b = model->member[i], other = model->member[j];
    uint64_t end = model->window[i] + model->width[i];
    if (end <= model->window[j]) {
        model->orderable = false;
        return;
    }
    uint64_t distance = end - model->window[j];
    uint64_t *above = &model->above[exact_model_entry(model, b, other)];
    uint64_t *below = &model->below[exact_model_entry(model, other, b)];
    *above = distance > *above ? distance : *above;
    *below = distance > *below ? distance : *below;
}

static enum status fill_distances(struct builder *builder)
{
    assert(!builder->model->whole);
    struct exact_model *model = builder->model;
    uint64_t entries = model->conflicts->first[model->buffers];
    TRY(memory_create(&model->above, entries, sizeof(uint64_t), builder->error));
    TRY(memory_create(&model->below, entries, sizeof(uint64_t), builder->error));
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            for (uint64_t j = model->first[s]; j < model->first[s + 1]; j++)
                if (i != j)
                    separate(model, i, j);
    return STATUS_OK;
}

static enum status fill_model(struct builder *builder)
{
    const struct problem *problem = builder->problem;
    struct exact_model *model = builder->model;
    model->buffers = problem->buffers;
    model->unit_bytes = problem_unit_bytes(problem);
    model->whole = !problem_has_windows(problem);
    model->orderable = true;
    TRY(fill_buffers(builder));
    TRY(fill_sections(builder));
    TRY(conflicts_create(problem, &model->conflicts, builder->error));
    if (model->whole && problem->segments > problem->buffers)
        TRY(extend_sections(builder));
    TRY(list_sections(builder));
    TRY(fill_relations(builder));
    return model->whole ? STATUS_OK : fill_distances(builder);
}

enum status exact_model_create(const struct problem *problem, struct exact_model **created,
                               struct error *error)
{
    struct builder builder = {.problem = problem, .error = error};
    enum status status;
    TRY(memory_create(&builder.model, 1, sizeof *builder.model, error));
    TRY_OR_DONE(status, sections_create(problem, &builder.sections, error));
    TRY_OR_DONE(status, fill_model(&builder));
    *created = builder.model;
done:
    sections_free(builder.sections);
    if (status)
        exact_model_free(builder.model);
    return status;
}

void exact_model_free(struct exact_model *model)
{
    if (!model)
        return;
    memory_free(model->size);
    memory_free(model->alignment);
    memory_free(model->lowest);
    memory_free(model->highest);
    memory_free(model->duration);
    memory_free(model->before);
    memory_free(model->after);
    memory_free(model->relation);
    memory_free(model->above);
    memory_free(model->below);
    memory_free(model->first_section);
    memory_free(model->section);
    memory_free(model->first);
    memory_free(model->member);
    memory_free(model->window);
    memory_free(model->width);
    memory_free(model->load);
    conflicts_free(model->conflicts);
    memory_free(model);
}
