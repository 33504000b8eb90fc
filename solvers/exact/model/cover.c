#include "solvers/exact/model/cover.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "core/sort.h"

enum {
    MOST_BUFFERS = 1 << 12,
    MOST_MEMBERS = 1 << 19,
    MOST_COMPARED = 1 << 27, /* words of sets that are compared at most to order the cliques */
};

/* Sets of buffers are rows of `words` words, a bit for each buffer. */
struct builder {
    const struct conflicts *conflicts;
    const uint64_t *size;
    uint32_t buffers, words;
    uint32_t *by_size;    /* [buffers] the largest first */
    uint64_t *neighbours; /* [buffers] sets: what each conflicts with */
    uint64_t *held;       /* [buffers] sets: what each is in a clique with, itself included */
    uint64_t *candidates; /* a set: what conflicts with all members of the clique that grows */
    uint64_t *clique_set; /* [grown.count] sets */
    uint32_t *chosen;     /* [chosen_count] grown cliques in the order in which they are wanted */
    uint32_t chosen_count;
    struct exact_cliques grown;
    size_t first_capacity, member_capacity;
    struct scratch scratch;
    struct error *error;
};

static uint64_t add_sizes(const struct builder *builder, const struct exact_cliques *cliques,
                          uint32_t clique)
{
    uint64_t load = 0;
    assert(clique < cliques->count && cliques->first[clique] <= cliques->first[clique + 1]);
    for (uint64_t i = cliques->first[clique]; i < cliques->first[clique + 1]; i++)
        load += builder->size[cliques->member[i]];
    return load;
}

static uint64_t get_load(const void *context, uint32_t clique)
{
    const struct builder *builder = context;
    return add_sizes(builder, &builder->grown, clique);
}

static uint64_t *get_row(const struct builder *builder, uint64_t *rows, uint32_t index)
{
    return rows + (size_t)index * builder->words;
}

static void add_bit(uint64_t *row, uint32_t bit)
{
    row[bit / 64] |= (uint64_t)1 << bit % 64;
}

static bool has_bit(const uint64_t *row, uint32_t bit)
{
    return row[bit / 64] >> bit % 64 & 1;
}

static enum status take_sets(struct builder *builder)
{
    size_t set_words = (size_t)builder->buffers * builder->words;
    const struct sort_key largest[SORT_MOST_KEYS] = {
        {SORT_ARRAY(builder->size), .descending = true}};
    const struct conflicts *conflicts = builder->conflicts;
    struct scratch *scratch = &builder->scratch;
    struct error *error = builder->error;
    TRY(scratch_take(scratch, &builder->by_size, builder->buffers, sizeof(uint32_t), error));
    TRY(scratch_take_all(scratch, set_words, error, &builder->neighbours, &builder->held));
    TRY(scratch_take(scratch, &builder->candidates, builder->words, sizeof(uint64_t), error));
    for (uint32_t b = 0; b < builder->buffers; b++)
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++) {
            assert(conflicts->other[i] < builder->buffers && conflicts->other[i] != b);
            add_bit(get_row(builder, builder->neighbours, b), conflicts->other[i]);
        }
    return sort_by_keys(largest, NULL, builder->buffers, builder->by_size, error);
}

/* Adds the buffer to the clique that grows, and keeps only those candidates that conflict with it,
   too. */
static void add_member(struct builder *builder, uint32_t buffer)
{
    struct exact_cliques *grown = &builder->grown;
    const uint64_t *neighbours = get_row(builder, builder->neighbours, buffer);
    assert(has_bit(builder->candidates, buffer));
    grown->member[grown->first[grown->count + 1]++] = buffer;
    for (uint32_t w = 0; w < builder->words; w++)
        builder->candidates[w] &= neighbours[w];
}

/* Notes which pairs of buffers the clique holds, whose members are given as a set by the row. True
   where no clique before held one of the pairs. */
static bool hold_pairs(struct builder *builder, const uint64_t *row, uint32_t clique)
{
    uint64_t added = 0;
    assert(clique <= builder->grown.count);
    for (uint64_t i = builder->grown.first[clique]; i < builder->grown.first[clique + 1]; i++) {
        uint64_t *held = get_row(builder, builder->held, builder->grown.member[i]);
        for (uint32_t w = 0; w < builder->words; w++) {
            added |= row[w] & ~held[w];
            held[w] |= row[w];
        }
    }
    return added;
}

static enum status begin_clique(struct builder *builder)
{
    struct exact_cliques *grown = &builder->grown;
    size_t needed = grown->first ? grown->first[grown->count] + builder->buffers : builder->buffers;
    TRY(memory_reserve(&grown->first, &builder->first_capacity, (size_t)grown->count + 2,
                       sizeof *grown->first, builder->error));
    TRY(memory_reserve(&grown->member, &builder->member_capacity, needed, sizeof *grown->member,
                       builder->error));
    if (!grown->count)
        grown->first[0] = 0;
    grown->first[grown->count + 1] = grown->first[grown->count];
    memset(builder->candidates, 0xff, builder->words * sizeof *builder->candidates);
    return STATUS_OK;
}

/* Ends the clique that grew: sorts its members and notes which pairs it holds. */
static void end_clique(struct builder *builder)
{
    struct exact_cliques *grown = &builder->grown;
    uint64_t begin = grown->first[grown->count], end = grown->first[grown->count + 1];
    assert(begin < end);
    qsort(grown->member + begin, end - begin, sizeof *grown->member, compare_number_items_32);
    uint64_t *row = builder->candidates;
    memset(row, 0, builder->words * sizeof *row);
    for (uint64_t i = begin; i < end; i++)
        add_bit(row, grown->member[i]);
    hold_pairs(builder, row, grown->count++);
}

/* Grows a clique from the conflicting buffers a and b, or from one buffer where b is a: adds the
   largest buffer that conflicts with all members until there is none. */
static enum status grow_clique(struct builder *builder, uint32_t a, uint32_t b)
{
    TRY(begin_clique(builder));
    add_member(builder, a);
    assert(a != b || !has_bit(get_row(builder, builder->held, a), a));
    if (a != b)
        add_member(builder, b);
    for (uint32_t i = 0; i < builder->buffers; i++)
        if (has_bit(builder->candidates, builder->by_size[i]))
            add_member(builder, builder->by_size[i]);
    end_clique(builder);
    return STATUS_OK;
}

static enum status copy_heaviest(struct builder *builder, const struct exact_cliques *cliques)
{
    uint64_t most = 0;
    uint32_t heaviest = 0;
    assert(cliques->count > 0);
    for (uint32_t c = 0; c < cliques->count; c++) {
        uint64_t load = add_sizes(builder, cliques, c);
        heaviest = load > most ? c : heaviest;
        most = load > most ? load : most;
    }
    TRY(begin_clique(builder));
    for (uint64_t i = cliques->first[heaviest]; i < cliques->first[heaviest + 1]; i++)
        add_member(builder, cliques->member[i]);
    end_clique(builder);
    return STATUS_OK;
}

static bool is_large(const struct builder *builder)
{
    return builder->grown.count && builder->grown.first[builder->grown.count] > MOST_MEMBERS;
}

static enum status grow_cliques(struct builder *builder)
{
    for (uint32_t i = 0; i < builder->buffers && !is_large(builder); i++) {
        uint32_t a = builder->by_size[i];
        assert(a < builder->buffers);
        const uint64_t *held = get_row(builder, builder->held, a);
        const uint64_t *neighbours = get_row(builder, builder->neighbours, a);
        for (uint32_t j = i + 1; j < builder->buffers; j++) {
            uint32_t b = builder->by_size[j];
            if (has_bit(neighbours, b) && !has_bit(held, b))
                TRY(grow_clique(builder, a, b));
        }
        if (!has_bit(held, a))
            TRY(grow_clique(builder, a, a));
    }
    return STATUS_OK;
}

/* Chooses the cliques, the heaviest first, and leaves out those that hold no pair but what heavier
   ones hold. */
static enum status choose_cliques(struct builder *builder)
{
    uint32_t count = builder->grown.count, *sorted;
    const struct sort_key heaviest[SORT_MOST_KEYS] = {{.value = get_load, .descending = true}};
    struct scratch *scratch = &builder->scratch;
    TRY(scratch_take(scratch, &builder->clique_set, (size_t)count * builder->words,
                     sizeof(uint64_t), builder->error));
    TRY(scratch_take_all(scratch, count, builder->error, &builder->chosen, &sorted));
    TRY(sort_by_keys(heaviest, builder, count, sorted, builder->error));
    memset(builder->held, 0, (size_t)builder->buffers * builder->words * sizeof *builder->held);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t clique = sorted[i];
        uint64_t *row = get_row(builder, builder->clique_set, clique);
        for (uint64_t m = builder->grown.first[clique]; m < builder->grown.first[clique + 1]; m++)
            add_bit(row, builder->grown.member[m]);
        if (hold_pairs(builder, row, clique))
            builder->chosen[builder->chosen_count++] = clique;
    }
    assert(builder->chosen_count > 0);
    return STATUS_OK;
}

/* Orders the chosen cliques so that each is followed by the one with the fewest buffers that it
   does not have itself. */
static void order_cliques(struct builder *builder)
{
    uint32_t *chosen = builder->chosen, count = builder->chosen_count;
    if ((uint64_t)count * count * builder->words > MOST_COMPARED)
        return;
    for (uint32_t i = 1; i < count; i++) {
        const uint64_t *before = get_row(builder, builder->clique_set, chosen[i - 1]);
        uint32_t best = i, least = UINT32_MAX;
        for (uint32_t j = i; j < count && least; j++) {
            const uint64_t *set = get_row(builder, builder->clique_set, chosen[j]);
            uint32_t added = 0;
            for (uint32_t w = 0; w < builder->words; w++)
                added += (uint32_t)__builtin_popcountll(set[w] & ~before[w]);
            best = added < least ? j : best;
            least = added < least ? added : least;
        }
        uint32_t clique = chosen[best];
        assert(best >= i && best < count && clique < builder->grown.count);
        memmove(chosen + i + 1, chosen + i, (best - i) * sizeof *chosen);
        chosen[i] = clique;
    }
}

/* Replaces the cliques by those chosen, in their order. */
static enum status copy_chosen(const struct builder *builder, struct exact_cliques *cliques)
{
    const struct exact_cliques *grown = &builder->grown;
    uint32_t count = builder->chosen_count, *member;
    uint64_t members = 0;
    SCOPED(memory_release) uint64_t *first = NULL;
    TRY(memory_create(&first, (size_t)count + 1, sizeof *first, builder->error));
    TRY(memory_create(&member, grown->first[grown->count], sizeof *member, builder->error));
    for (uint32_t c = 0; c < count; c++) {
        uint64_t begin = grown->first[builder->chosen[c]];
        uint64_t clique_members = grown->first[builder->chosen[c] + 1] - begin;
        assert(clique_members > 0 && builder->chosen[c] < grown->count);
        memcpy(member + members, grown->member + begin, clique_members * sizeof *member);
        first[c + 1] = members += clique_members;
    }
    assert(members <= grown->first[grown->count]);
    memory_free_all(cliques->first, cliques->member);
    *cliques = (struct exact_cliques){count, first, member};
    first = NULL;
    return STATUS_OK;
}

static void release_builder(struct builder *builder)
{
    scratch_free(&builder->scratch);
    memory_free_all(builder->grown.first, builder->grown.member);
}

enum status exact_cover_conflicts(const struct conflicts *conflicts, const uint64_t *size,
                                  uint32_t buffers, struct exact_cliques *cliques,
                                  struct error *error)
{
    SCOPED(release_builder)
    struct builder builder = {.conflicts = conflicts,
                              .size = size,
                              .buffers = buffers,
                              .words = (buffers + 63) / 64,
                              .error = error};
    if (buffers > MOST_BUFFERS)
        return STATUS_OK;
    TRY(take_sets(&builder));
    TRY(copy_heaviest(&builder, cliques));
    assert(builder.grown.count == 1);
    TRY(grow_cliques(&builder));
    if (is_large(&builder))
        return STATUS_OK;
    TRY(choose_cliques(&builder));
    order_cliques(&builder);
    return copy_chosen(&builder, cliques);
}
