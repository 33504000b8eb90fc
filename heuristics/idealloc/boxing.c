#include "heuristics/idealloc/boxing.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"

enum status boxing_create(uint32_t most, uint64_t seed, struct boxing **created,
                          struct scratch *scratch, struct error *error)
{
    struct boxing *boxing;
    TRY(scratch_take(scratch, &boxing, 1, sizeof *boxing, error));
    *created = boxing;
    boxing->most = most;
    boxing->random = random_seed(seed);
    boxing->end_ns = UINT64_MAX;
    TRY(scratch_take_all(scratch, most, error, &boxing->keyed, &boxing->strip, &boxing->by_death,
                         &boxing->group, &boxing->unresolved, &boxing->row, &boxing->taken));
    TRY(heap_reserve(&boxing->dying, most, error));
    return heap_reserve(&boxing->free_rows, most, error);
}

void boxing_free(struct boxing *boxing)
{
    if (!boxing)
        return;
    memory_free_all(boxing->job, boxing->content);
    heap_free(&boxing->dying);
    heap_free(&boxing->free_rows);
}

static enum status add_job(struct boxing *boxing, const struct boxing_job *job, struct error *error)
{
    TRY(memory_reserve(&boxing->job, &boxing->job_capacity, (size_t)boxing->jobs + 1,
                       sizeof *boxing->job, error));
    boxing->job[boxing->jobs++] = *job;
    return STATUS_OK;
}

enum status boxing_add_buffer(struct boxing *boxing, uint64_t birth, uint64_t death, double height,
                              struct error *error)
{
    const struct boxing_job job = {.birth = birth, .death = death, .height = height};
    return add_job(boxing, &job, error);
}

enum status boxing_add_box(struct boxing *boxing, struct boxing_list jobs,
                           const struct boxing_target *target, struct error *error)
{
    struct boxing_job box = {.birth = UINT64_MAX,
                             .height = target->height,
                             .first = boxing->contents,
                             .count = jobs.count};
    assert(jobs.count > 0 && target->boxed->count < boxing->most);
    TRY(memory_reserve(&boxing->content, &boxing->content_capacity,
                       (size_t)boxing->contents + jobs.count, sizeof *boxing->content, error));
    for (uint32_t i = 0; i < jobs.count; i++) {
        const struct boxing_job *job = &boxing->job[jobs.job[i]];
        box.birth = job->birth < box.birth ? job->birth : box.birth;
        box.death = job->death > box.death ? job->death : box.death;
        boxing->content[boxing->contents++] = jobs.job[i];
    }
    TRY(add_job(boxing, &box, error));
    target->boxed->job[target->boxed->count++] = boxing->jobs - 1;
    return STATUS_OK;
}

static double get_key(const struct boxing_job *job, enum boxing_key key)
{
    switch (key) {
    case BOXING_BIRTH:
        return (double)job->birth;
    case BOXING_LATE_DEATH:
        return -(double)job->death;
    case BOXING_HEIGHT:
        return job->height;
    case BOXING_LARGE_HEIGHT:
        return -job->height;
    }
    return 0;
}

COMPARE_BY(compare_keyed, struct boxing_keyed, compare_reals(a->key, b->key),
           compare_numbers(a->position, b->position))

void boxing_sort_keyed(struct boxing_keyed *keyed, uint32_t count)
{
    qsort(keyed, count, sizeof *keyed, compare_keyed);
}

void boxing_sort(const struct boxing *boxing, enum boxing_key key, struct boxing_list list)
{
    struct boxing_keyed *keyed = boxing->keyed;
    assert(list.count <= boxing->most);
    for (uint32_t i = 0; i < list.count; i++)
        keyed[i] = (struct boxing_keyed){get_key(&boxing->job[list.job[i]], key), i, list.job[i]};
    boxing_sort_keyed(keyed, list.count);
    for (uint32_t i = 0; i < list.count; i++)
        list.job[i] = keyed[i].job;
}

uint32_t boxing_colour(struct boxing *boxing, struct boxing_list list, uint32_t *row)
{
    struct heap *dying = &boxing->dying, *free_rows = &boxing->free_rows;
    struct error error;
    uint32_t rows = 0;
    dying->count = free_rows->count = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        const struct boxing_job *job = &boxing->job[list.job[i]];
        assert(!i || boxing->job[list.job[i - 1]].birth <= job->birth);
        /* The heaps have room for every job, so that pushing cannot fail. */
        while (dying->count && dying->item[0].key <= job->birth) {
            uint32_t freed = heap_pop(dying).value;
            (void)heap_push(free_rows, freed, freed, &error);
        }
        row[i] = free_rows->count ? heap_pop(free_rows).value : rows++;
        (void)heap_push(dying, job->death, row[i], &error);
    }
    return rows;
}
