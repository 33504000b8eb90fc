#include "solvers/mip/model/pairs.h"

#include <stdlib.h>

#include "core/memory.h"

static int compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_pairs(const void *left, const void *right)
{
    const struct mip_pair *a = left, *b = right;
    const uint64_t x[] = {a->first,       a->second,       a->first_lower,
                          a->first_upper, a->second_lower, a->second_upper};
    const uint64_t y[] = {b->first,       b->second,       b->first_lower,
                          b->first_upper, b->second_lower, b->second_upper};
    for (int i = 0; i < 6; i++)
        if (x[i] != y[i])
            return compare_u64(x[i], y[i]);
    return 0;
}

static struct mip_pair make_pair(const struct mip_model *model, uint32_t first, uint32_t s,
                                 uint32_t second, uint32_t t)
{
    const struct problem *problem = model->problem;
    uint64_t scale = model->scale;
    return (struct mip_pair){.first = first,
                             .second = second,
                             .first_lower = problem->window_lower[s] / scale,
                             .first_upper = problem->window_upper[s] / scale,
                             .second_lower = problem->window_lower[t] / scale,
                             .second_upper = problem->window_upper[t] / scale};
}

uint64_t mip_pairs_entries(const struct sections *sections)
{
    uint64_t entries = 0;
    for (uint32_t s = 0; s < sections->count; s++) {
        uint64_t members = sections->first[s + 1] - sections->first[s];
        entries += members * members;
    }
    return entries;
}

static uint32_t drop_repeated(struct mip_pair *pair, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!kept || compare_pairs(&pair[kept - 1], &pair[i]) != 0)
            pair[kept++] = pair[i];
    return kept;
}

enum status mip_pairs_collect(struct mip_model *model, const struct sections *sections,
                              struct error *error)
{
    uint32_t count = 0;
    TRY(memory_create(&model->pair, mip_pairs_entries(sections) / 2, sizeof *model->pair, error));
    for (uint32_t s = 0; s < sections->count; s++)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            for (uint64_t j = i + 1; j < sections->first[s + 1]; j++)
                model->pair[count++] = make_pair(model, sections->member[i], sections->segment[i],
                                                 sections->member[j], sections->segment[j]);
    qsort(model->pair, count, sizeof *model->pair, compare_pairs);
    model->pairs = drop_repeated(model->pair, count);
    return STATUS_OK;
}

uint32_t mip_pairs_find(const struct mip_model *model, uint32_t buffer_s, uint32_t s,
                        uint32_t buffer_t, uint32_t t, bool *s_is_first)
{
    *s_is_first = buffer_s < buffer_t;
    struct mip_pair key = *s_is_first ? make_pair(model, buffer_s, s, buffer_t, t)
                                      : make_pair(model, buffer_t, t, buffer_s, s);
    const struct mip_pair *found =
        bsearch(&key, model->pair, model->pairs, sizeof key, compare_pairs);
    return (uint32_t)(found - model->pair);
}
