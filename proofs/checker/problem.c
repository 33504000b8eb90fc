#include "proofs/checker/problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void check_problem_free(struct problem *problem)
{
    check_input_close(&problem->input);
    free(problem->buffer);
    free(problem->segment);
    free(problem->pair);
    free(problem->by_name);
    memset(problem, 0, sizeof *problem);
}

static int compare_names(const void *left, const void *right)
{
    const struct buffer *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

void check_problem_sort(struct problem *problem)
{
    const struct buffer **sorted = check_create(problem->buffers, sizeof *sorted);
    problem->by_name = sorted;
    if (!problem->buffers)
        UNREADABLE("found no buffer, expected at least one");
    for (uint32_t b = 0; b < problem->buffers; b++)
        sorted[b] = &problem->buffer[b];
    qsort(sorted, problem->buffers, sizeof *sorted, compare_names);
    for (uint32_t b = 1; b < problem->buffers; b++)
        if (strcmp(sorted[b - 1]->name, sorted[b]->name) == 0)
            UNREADABLE("found two buffers '%.60s'", sorted[b]->name);
}

const struct buffer *check_problem_find(const struct problem *problem, const char *name)
{
    const struct buffer wanted = {.name = name}, *key = &wanted;
    const struct buffer **found =
        bsearch(&key, problem->by_name, problem->buffers, sizeof key, compare_names);
    return found ? *found : NULL;
}

uint64_t check_problem_pair(uint32_t i, uint32_t j)
{
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

int check_problem_compare_pairs(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static uint64_t add_number(uint64_t hash, int64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64 " ", number);
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    return hash;
}

uint64_t check_problem_fingerprint(const struct problem *problem)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct buffer *buffer = &problem->buffer[b];
        hash = add_number(hash, buffer->size);
        hash = add_number(hash, buffer->alignment);
        hash = add_number(hash, buffer->fixed);
        for (size_t s = buffer->first; s < buffer->end; s++) {
            const struct segment *at = &problem->segment[s];
            hash = add_number(add_number(hash, at->lower), at->upper);
            hash = add_number(add_number(hash, at->begin), at->end);
        }
        hash = (hash ^ '\n') * UINT64_C(1099511628211);
    }
    return hash;
}

static bool has_pair(const struct problem *problem, uint32_t i, uint32_t j)
{
    uint64_t wanted = check_problem_pair(i, j);
    return problem->pairs && bsearch(&wanted, problem->pair, problem->pairs, sizeof wanted,
                                     check_problem_compare_pairs);
}

/* Raises *lower past the differences from it on that two buffers may not have because of windows of
   these bytes that are in use at one step. */
static bool raise_past(int64_t begin_i, int64_t end_i, int64_t begin_j, int64_t end_j,
                       int64_t *lower)
{
    if (*lower <= begin_i - end_j || *lower >= end_i - begin_j)
        return false;
    *lower = end_i - begin_j;
    return true;
}

bool check_problem_forbids(const struct problem *problem, uint32_t i, uint32_t j, int64_t lower,
                           int64_t upper)
{
    bool raised = true;
    if (i == j)
        return lower > upper;
    if (has_pair(problem, i, j))
        raise_past(0, problem->buffer[i].size, 0, problem->buffer[j].size, &lower);
    /* What one pair of segments leaves open may be what another one, seen before, forbids. */
    while (lower <= upper && raised) {
        size_t s = problem->buffer[i].first, t = problem->buffer[j].first;
        raised = false;
        while (s < problem->buffer[i].end && t < problem->buffer[j].end && lower <= upper) {
            const struct segment *a = &problem->segment[s], *b = &problem->segment[t];
            if (a->lower < b->upper && b->lower < a->upper)
                raised = raise_past(a->begin, a->end, b->begin, b->end, &lower) || raised;
            *(a->upper < b->upper ? &s : &t) += 1;
        }
    }
    return lower > upper;
}

bool check_problem_overlaps(const struct problem *problem, uint32_t i, uint32_t j)
{
    const struct buffer *a = &problem->buffer[i], *b = &problem->buffer[j];
    for (size_t s = a->first, t = b->first; s < a->end && t < b->end;) {
        const struct segment *left = &problem->segment[s], *right = &problem->segment[t];
        if (left->lower < right->upper && right->lower < left->upper &&
            left->end - left->begin == a->size && right->end - right->begin == b->size)
            return i != j;
        *(left->upper < right->upper ? &s : &t) += 1;
    }
    return false;
}

bool check_problem_alike(const struct problem *problem, uint32_t i, uint32_t j)
{
    const struct buffer *a = &problem->buffer[i], *b = &problem->buffer[j];
    size_t segments = a->end - a->first;
    bool alike = a->fixed == BUFFER_FREE && b->fixed == BUFFER_FREE && a->size == b->size &&
                 a->alignment == b->alignment && !a->paired && !b->paired &&
                 segments == b->end - b->first;
    for (size_t s = 0; alike && s < segments; s++)
        alike = memcmp(&problem->segment[a->first + s], &problem->segment[b->first + s],
                       offsetof(struct segment, buffer)) == 0;
    return alike;
}
