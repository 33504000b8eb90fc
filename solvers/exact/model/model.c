#include "solvers/exact/model/model.h"

#include "core/binary_search.h"
#include "core/memory.h"
#include "planning/problem/unit.h"
#include "solvers/exact/model/cover.h"

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

static enum status fill_buffers(struct exact_model *model, const struct problem *problem,
                                struct error *error)
{
    struct scratch *memory = &model->memory;
    uint64_t unit = model->unit_bytes;
    uint32_t buffers = problem->buffers;
    TRY(scratch_take_all(memory, buffers, error, &model->size, &model->alignment, &model->lowest,
                         &model->highest, &model->duration));
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t alignment = problem_alignment(problem, b);
        bool fixed = is_fixed(problem, b);
        assert(problem->size[b] % unit == 0);
        assert(!fixed || problem_fixed_offset(problem, b) % unit == 0);
        model->size[b] = problem->size[b] / unit;
        model->alignment[b] = unit % alignment ? alignment / unit : 1;
        model->lowest[b] = fixed ? problem_fixed_offset(problem, b) / unit : 0;
        model->highest[b] = fixed ? model->lowest[b] : UINT64_MAX;
        model->duration[b] = problem_duration(problem, b);
        assert(model->size[b] > 0 && model->alignment[b] > 0);
        model->has_fixed |= fixed;
    }
    return STATUS_OK;
}

/* Takes members and sections, which the model gets from them. */
static enum status fill_sections(struct exact_model *model, const struct problem *problem,
                                 struct sections *sections, struct error *error)
{
    uint64_t unit = model->unit_bytes, members = sections->first[sections->count];
    assert(sections->count > 0 && sections->first[0] == 0);
    model->sections = sections->count;
    TRY(memory_create(&model->load, sections->count, sizeof(uint64_t), error));
    for (uint32_t s = 0; s < sections->count; s++) {
        assert(sections->load[s] % unit == 0);
        model->load[s] = sections->load[s] / unit;
    }
    if (!model->whole) {
        TRY(scratch_take_all(&model->memory, members, error, &model->window, &model->width));
    }
    for (uint64_t i = 0; !model->whole && i < members; i++) {
        uint64_t lower = problem_window_lower(problem, sections->segment[i]);
        uint64_t upper = problem_window_upper(problem, sections->segment[i]);
        assert(lower % unit == 0 && upper % unit == 0 && lower < upper);
        model->window[i] = lower / unit;
        model->width[i] = (upper - lower) / unit;
    }
    model->first = sections->first;
    model->member = sections->member;
    sections->first = NULL;
    sections->member = NULL;
    return STATUS_OK;
}

/* Adds to each section the buffers that conflict with all of its members. Sections may become equal
   by that, so that fewer are left. Where operators run in streams, no line of steps says what
   conflicts, and heavier sections are looked for (cover.h). */
static enum status extend_sections(struct exact_model *model, bool in_streams, struct error *error)
{
    struct exact_cliques cliques = {model->sections, model->first, model->member};
    const struct conflicts *conflicts = model->conflicts;
    assert(model->whole);
    enum status status =
        exact_cliques_extend(conflicts, model->size, model->buffers, &cliques, error);
    if (!status && in_streams)
        status = exact_cover_conflicts(conflicts, model->size, model->buffers, &cliques, error);
    model->sections = cliques.count;
    model->first = cliques.first;
    model->member = cliques.member;
    TRY(status);
    assert(model->sections > 0);
    memory_free(model->load);
    model->load = NULL;
    TRY(memory_create(&model->load, model->sections, sizeof(uint64_t), error));
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            model->load[s] += model->size[model->member[i]];
    return STATUS_OK;
}

/* The sections of each buffer. */
static enum status list_sections(struct exact_model *model, struct error *error)
{
    uint32_t buffers = model->buffers;
    uint64_t members = model->first[model->sections];
    TRY(scratch_take(&model->memory, &model->first_section, (size_t)buffers + 2, sizeof(uint64_t),
                     error));
    TRY(scratch_take(&model->memory, &model->section, members, sizeof(uint32_t), error));
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

/* All sections of the inner buffer are sections of the outer one. */
static bool is_within(const struct exact_model *model, uint32_t inner, uint32_t outer)
{
    const uint32_t *section = model->section;
    uint64_t at = model->first_section[outer], end = model->first_section[outer + 1];
    uint64_t i = model->first_section[inner], last = model->first_section[inner + 1] - 1;
    assert(inner != outer && at < end && i <= last);
    if (section[i] < section[at] || section[last] > section[end - 1] || last - i >= end - at)
        return false;
    bool has_hole = section[end - 1] - section[at] != end - 1 - at;
    for (; has_hole && i <= last; i++) {
        while (at < end && section[at] < section[i])
            at++;
        if (at == end || section[at] != section[i])
            return false;
    }
    return true;
}

static enum status fill_relations(struct exact_model *model, const struct problem *problem,
                                  struct error *error)
{
    const struct conflicts *conflicts = model->conflicts;
    uint32_t buffers = model->buffers;
    SCOPED(memory_release) bool *movable = NULL;
    TRY(scratch_take(&model->memory, &model->relation, conflicts->first[buffers], sizeof(uint8_t),
                     error));
    TRY(scratch_take_all(&model->memory, buffers, error, &model->before, &model->after));
    TRY(memory_create(&movable, buffers, sizeof *movable, error));
    for (uint32_t b = 0; b < buffers; b++) {
        movable[b] = !is_fixed(problem, b) && is_whole(problem, b);
        model->before[b] = model->after[b] = EXACT_NONE;
    }

    /* The other may go up by the size of b, to let b go down below it, where both may be moved, the
       other stays aligned, and it lives in sections of b only, where b leaves the bytes free. Equal
       buffers make a chain in the order of their numbers. */
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t sections = model->first_section[b + 1] - model->first_section[b];
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++) {
            uint32_t other = conflicts->other[i];
            uint64_t others = model->first_section[other + 1] - model->first_section[other];
            if (!movable[other] || !movable[b] || model->size[b] % model->alignment[other] ||
                !is_within(model, other, b))
                continue;
            model->relation[i] = others == sections ? EXACT_SAME : EXACT_INSIDE;
            if (other < b && others == sections && model->size[other] == model->size[b] &&
                model->alignment[other] == model->alignment[b])
                model->before[b] = other;
        }
        assert(model->before[b] == EXACT_NONE || model->after[model->before[b]] == EXACT_NONE);
        if (model->before[b] != EXACT_NONE)
            model->after[model->before[b]] = b;
    }
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

enum status exact_model_create(const struct problem *problem, struct exact_model **created,
                               struct error *error)
{
    SCOPED(sections_release) struct sections *sections = NULL;
    SCOPED(exact_model_release) struct exact_model *model = NULL;
    TRY(memory_create(&model, 1, sizeof *model, error));
    TRY(sections_create(problem, &sections, error));
    model->buffers = problem->buffers;
    model->unit_bytes = problem_unit_bytes(problem);
    model->whole = !problem_has_windows(problem);
    model->orderable = true;
    TRY(fill_buffers(model, problem, error));
    TRY(fill_sections(model, problem, sections, error));
    TRY(conflicts_create(problem, &model->conflicts, error));
    if (model->whole && problem->segments > problem->buffers)
        TRY(extend_sections(model, problem_streams(problem), error));
    TRY(list_sections(model, error));
    TRY(fill_relations(model, problem, error));
    if (!model->whole) {
        uint64_t entries = model->conflicts->first[model->buffers];
        TRY(scratch_take_all(&model->memory, entries, error, &model->above, &model->below));
    }
    for (uint32_t s = 0; !model->whole && s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            for (uint64_t j = model->first[s]; j < model->first[s + 1]; j++)
                if (i != j)
                    separate(model, i, j);
    HAND_OVER(model, created);
}

enum status exact_model_add_along(struct exact_model *model, const struct problem *problem,
                                  uint64_t capacity_bytes, struct error *error)
{
    assert(model->whole && !model->has_fixed && model->orderable);
    struct exact_model *made, **last = &model->along;
    while (*last)
        last = &(*last)->along;
    TRY(memory_create(last, 1, sizeof **last, error));
    made = *last;
    *made = *model;
    made->along = NULL;
    made->memory = (struct scratch){0};
    made->unit_bytes = problem_unit_bytes(problem);
    made->capacity = capacity_bytes / made->unit_bytes;
    TRY(fill_buffers(made, problem, error));
    TRY(scratch_take(&made->memory, &made->load, made->sections, sizeof(uint64_t), error));
    for (uint32_t s = 0; s < made->sections; s++)
        for (uint64_t i = made->first[s]; i < made->first[s + 1]; i++)
            made->load[s] += made->size[made->member[i]];
    const struct conflicts *conflicts = made->conflicts;
    for (uint32_t b = 0; b < made->buffers; b++) {
        uint32_t before = made->before[b];
        /* In units, alignments that are equal for some sizes may differ for others. */
        if (before != EXACT_NONE &&
            (made->size[before] != made->size[b] || made->alignment[before] != made->alignment[b]))
            made->before[b] = made->after[before] = EXACT_NONE;
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++)
            if (made->size[b] % made->alignment[conflicts->other[i]])
                made->relation[i] = EXACT_OUTSIDE;
    }
    return STATUS_OK;
}

void exact_model_free(struct exact_model *model)
{
    if (!model)
        return;
    for (struct exact_model *along = model->along, *next; along; along = next) {
        next = along->along;
        scratch_free(&along->memory);
        memory_free(along);
    }
    memory_free_all(model->first, model->member, model->load);
    conflicts_free(model->conflicts);
    scratch_free(&model->memory);
    memory_free(model);
}
