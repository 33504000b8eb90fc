#include "solvers/exact/model/cliques.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum {
    MOST_VISITS = 1 << 26,
    COMPARED = 64, /* how many of the sections before it one may be equal to */
};

struct builder {
    struct exact_model *model;
    uint32_t *seen;    /* [buffers] how many members of the clique conflict with it */
    uint32_t *visited; /* [buffers] those that were seen */
    uint32_t visits;
    uint64_t *first; /* [sections + 1] of the new sections */
    uint32_t *member;
    uint64_t members;
    size_t capacity;
};

static uint64_t count_visits(const struct exact_model *model)
{
    const struct conflicts *conflicts = model->conflicts;
    uint64_t visits = 0;
    for (uint64_t i = 0; i < model->first[model->sections]; i++)
        visits += conflicts->first[model->member[i] + 1] - conflicts->first[model->member[i]];
    return visits;
}

static void see_conflicts(struct builder *builder, uint32_t buffer)
{
    const struct conflicts *conflicts = builder->model->conflicts;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (!builder->seen[other]++)
            builder->visited[builder->visits++] = other;
    }
}

static enum status add_member(struct builder *builder, uint32_t buffer, struct error *error)
{
    TRY(memory_reserve(&builder->member, &builder->capacity, builder->members + 1,
                       sizeof *builder->member, error));
    builder->member[builder->members++] = buffer;
    see_conflicts(builder, buffer);
    return STATUS_OK;
}

/* The largest buffer that conflicts with all members; members miss themselves. */
static uint32_t find_addition(const struct builder *builder, uint64_t members)
{
    const struct exact_model *model = builder->model;
    uint32_t found = EXACT_NONE;
    for (uint32_t i = 0; i < builder->visits; i++) {
        uint32_t buffer = builder->visited[i];
        if (builder->seen[buffer] == members &&
            (found == EXACT_NONE || model->size[buffer] > model->size[found] ||
             (model->size[buffer] == model->size[found] && buffer < found)))
            found = buffer;
    }
    return found;
}

static int compare_buffers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static bool is_known(const struct builder *builder, uint32_t kept)
{
    uint64_t begin = builder->first[kept], count = builder->members - begin;
    for (uint32_t s = kept > COMPARED ? kept - COMPARED : 0; s < kept; s++)
        if (builder->first[s + 1] - builder->first[s] == count &&
            memcmp(builder->member + builder->first[s], builder->member + begin,
                   count * sizeof *builder->member) == 0)
            return true;
    return false;
}

static enum status extend_section(struct builder *builder, uint32_t section, uint32_t *kept,
                                  struct error *error)
{
    const struct exact_model *model = builder->model;
    uint64_t begin = builder->members;
    uint32_t addition;
    builder->first[*kept] = begin;
    for (uint64_t i = model->first[section]; i < model->first[section + 1]; i++)
        TRY(add_member(builder, model->member[i], error));
    while ((addition = find_addition(builder, builder->members - begin)) != EXACT_NONE)
        TRY(add_member(builder, addition, error));
    while (builder->visits)
        builder->seen[builder->visited[--builder->visits]] = 0;
    qsort(builder->member + begin, builder->members - begin, sizeof *builder->member,
          compare_buffers);
    if (is_known(builder, *kept))
        builder->members = begin;
    else
        builder->first[++*kept] = builder->members;
    return STATUS_OK;
}

static enum status extend_sections(struct builder *builder, struct error *error)
{
    struct exact_model *model = builder->model;
    uint32_t kept = 0;
    TRY(memory_create(&builder->seen, model->buffers, sizeof *builder->seen, error));
    TRY(memory_create(&builder->visited, model->buffers, sizeof *builder->visited, error));
    TRY(memory_create(&builder->first, (size_t)model->sections + 1, sizeof *builder->first, error));
    for (uint32_t s = 0; s < model->sections; s++)
        TRY(extend_section(builder, s, &kept, error));
    model->sections = kept;
    return STATUS_OK;
}

static void take_sections(struct builder *builder)
{
    struct exact_model *model = builder->model;
    memory_free(model->first);
    memory_free(model->member);
    model->first = builder->first;
    model->member = builder->member;
    builder->first = NULL;
    builder->member = NULL;
    for (uint32_t s = 0; s < model->sections; s++) {
        model->load[s] = 0;
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            model->load[s] += model->size[model->member[i]];
    }
}

enum status exact_cliques_extend(struct exact_model *model, struct error *error)
{
    struct builder builder = {.model = model};
    if (count_visits(model) > MOST_VISITS)
        return STATUS_OK;
    enum status status = extend_sections(&builder, error);
    if (!status)
        take_sections(&builder);
    memory_free(builder.seen);
    memory_free(builder.visited);
    memory_free(builder.first);
    memory_free(builder.member);
    return status;
}
