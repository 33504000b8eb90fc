#include "solvers/exact/model/cliques.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"

enum {
    MOST_VISITS = 1 << 26,
    MOST_COMPARED = 64, /* how many of the cliques before it one may be equal to */
};

static const uint32_t none = UINT32_MAX;

struct builder {
    const struct conflicts *conflicts;
    const uint64_t *size;
    uint32_t buffers;
    uint32_t *seen_count; /* [buffers] how many members of the clique conflict with it */
    uint32_t *visited;    /* [visited_count] the buffers that were seen */
    uint32_t visited_count;
    struct exact_cliques extended;
    uint64_t members; /* of all extended cliques, the one that is being built included */
    size_t capacity;  /* of extended.member */
};

static enum status add_member(struct builder *builder, uint32_t buffer, struct error *error)
{
    const struct conflicts *conflicts = builder->conflicts;
    assert(buffer < builder->buffers);
    TRY(memory_reserve(&builder->extended.member, &builder->capacity, builder->members + 1,
                       sizeof *builder->extended.member, error));
    builder->extended.member[builder->members++] = buffer;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (!builder->seen_count[other]++)
            builder->visited[builder->visited_count++] = other;
    }
    return STATUS_OK;
}

/* The largest buffer that conflicts with all members. Members do not conflict with themselves, so
   it is none of them. */
static uint32_t find_addition(const struct builder *builder, uint64_t members)
{
    const uint64_t *size = builder->size;
    uint32_t found = none;
    for (uint32_t i = 0; i < builder->visited_count; i++) {
        uint32_t buffer = builder->visited[i];
        assert(builder->seen_count[buffer] <= members);
        if (builder->seen_count[buffer] == members &&
            (found == none || size[buffer] > size[found] ||
             (size[buffer] == size[found] && buffer < found)))
            found = buffer;
    }
    return found;
}

/* The clique that was built last is equal to one of those before it. */
static bool is_known(const struct builder *builder)
{
    assert(builder->members > builder->extended.first[builder->extended.count]);
    const struct exact_cliques *extended = &builder->extended;
    uint32_t last = extended->count;
    uint64_t begin = extended->first[last], members = builder->members - begin;
    for (uint32_t c = last > MOST_COMPARED ? last - MOST_COMPARED : 0; c < last; c++)
        if (extended->first[c + 1] - extended->first[c] == members &&
            memcmp(extended->member + extended->first[c], extended->member + begin,
                   members * sizeof *extended->member) == 0)
            return true;
    return false;
}

static enum status extend_clique(struct builder *builder, const struct exact_cliques *cliques,
                                 uint32_t clique, struct error *error)
{
    struct exact_cliques *extended = &builder->extended;
    uint64_t begin = builder->members;
    uint32_t addition;
    extended->first[extended->count] = begin;
    assert(cliques->first[clique] < cliques->first[clique + 1]);
    for (uint64_t i = cliques->first[clique]; i < cliques->first[clique + 1]; i++)
        TRY(add_member(builder, cliques->member[i], error));
    while ((addition = find_addition(builder, builder->members - begin)) != none)
        TRY(add_member(builder, addition, error));
    while (builder->visited_count)
        builder->seen_count[builder->visited[--builder->visited_count]] = 0;
    qsort(extended->member + begin, builder->members - begin, sizeof *extended->member,
          compare_number_items_32);
    if (is_known(builder))
        builder->members = begin;
    else
        extended->first[++extended->count] = builder->members;
    return STATUS_OK;
}

/* Frees what the builder holds, also the cliques that are no longer wanted. */
static void release_builder(struct builder *builder)
{
    memory_free_all(builder->seen_count, builder->visited, builder->extended.first,
                    builder->extended.member);
}

enum status exact_cliques_extend(const struct conflicts *conflicts, const uint64_t *size,
                                 uint32_t buffers, struct exact_cliques *cliques,
                                 struct error *error)
{
    SCOPED(release_builder)
    struct builder builder = {.conflicts = conflicts, .size = size, .buffers = buffers};
    assert(cliques->count > 0 && cliques->first[0] == 0);
    uint64_t visits = 0;
    for (uint64_t i = 0; i < cliques->first[cliques->count]; i++) {
        uint32_t member = cliques->member[i];
        assert(member < buffers);
        visits += conflicts->first[member + 1] - conflicts->first[member];
    }
    if (visits > MOST_VISITS)
        return STATUS_OK;
    TRY(memory_create_all(buffers, error, &builder.seen_count, &builder.visited));
    TRY(memory_create(&builder.extended.first, (size_t)cliques->count + 1,
                      sizeof *builder.extended.first, error));
    for (uint32_t c = 0; c < cliques->count; c++)
        TRY(extend_clique(&builder, cliques, c, error));
    assert(builder.extended.count > 0 && builder.extended.count <= cliques->count);
    struct exact_cliques replaced = *cliques;
    *cliques = builder.extended;
    builder.extended = replaced;
    return STATUS_OK;
}
