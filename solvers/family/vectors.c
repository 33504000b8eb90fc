#include "solvers/family/vectors.h"

#include <assert.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"

enum status size_vectors_add(struct size_vectors *vectors, const uint64_t *point,
                             struct error *error)
{
    struct family *family = vectors->family;
    size_t parameters = family->parameters, buffers = family->problem->buffers, n = vectors->count;
    for (size_t i = 0; i < n; i++)
        if (memcmp(vectors->point + i * parameters, point, parameters * sizeof *point) == 0)
            return STATUS_OK;
    TRY(memory_reserve(&vectors->point, &vectors->point_capacity, (n + 1) * parameters,
                       sizeof *point, error));
    TRY(memory_reserve(&vectors->size, &vectors->size_capacity, (n + 1) * buffers,
                       sizeof *vectors->size, error));
    TRY(memory_reserve(&vectors->load, &vectors->load_capacity, n + 1, sizeof *vectors->load,
                       error));
    uint64_t *size = vectors->size + n * buffers;
    bool is_size = family_sizes(family, point, size);
    assert(is_size && sizes_in_box(family->sizes, point));
    assert(n || memcmp(point, family->sizes->greatest, parameters * sizeof *point) == 0);
    (void)is_size;
    memcpy(vectors->point + n * parameters, point, parameters * sizeof *point);
    vectors->load[n] = family_load(family, size);
    assert(vectors->load[n] <= vectors->load[0]);
    vectors->count++;
    return STATUS_OK;
}

void size_vectors_free(struct size_vectors *vectors)
{
    memory_free_all(vectors->point, vectors->size, vectors->load);
}

enum status size_vectors_problem(const struct size_vectors *vectors, uint32_t point,
                                 struct problem *problem, uint64_t **window_upper,
                                 struct error *error)
{
    assert(point < vectors->count);
    *problem = *vectors->family->problem;
    problem->sizes = NULL;
    problem->size = vectors->size + (size_t)point * problem->buffers;
    if (problem->any_window_upper && !*window_upper)
        TRY(memory_create(window_upper, problem->segments, sizeof **window_upper, error));
    problem->any_window_upper = *window_upper;
    /* The buffers of a family use all their bytes. */
    for (uint32_t b = 0; *window_upper && b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            (*window_upper)[s] = problem->size[b];
    return STATUS_OK;
}

struct family_score size_vectors_score(const struct size_vectors *vectors,
                                       const struct orientation *orientation)
{
    struct family_score score = {.worst = {0, 1}};
    assert(vectors->count > 0 && orientation->buffers == vectors->family->problem->buffers);
    for (uint32_t i = 0; i < vectors->count; i++) {
        const uint64_t *size = vectors->size + (size_t)i * orientation->buffers;
        struct family_ratio ratio = {family_peak(vectors->family, orientation, size),
                                     vectors->load[i]};
        assert(ratio.peak_bytes >= ratio.load_bytes);
        score.peak_bytes = i ? score.peak_bytes : ratio.peak_bytes;
        score.sum += family_ratio_value(ratio);
        if (family_ratio_compare(ratio, score.worst) > 0) {
            score.worst = ratio;
            score.worst_vector = i;
        }
    }
    return score;
}

int family_score_compare(const struct family_score *a, const struct family_score *b,
                         bool worst_first)
{
    int peaks = compare_numbers(a->peak_bytes, b->peak_bytes);
    int ratios = family_ratio_compare(a->worst, b->worst);
    int first = worst_first ? ratios : peaks, second = worst_first ? peaks : ratios;
    return first ? first : second ? second : compare_reals(a->sum, b->sum);
}
