#include "proofs/checker/problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void check_problem_free(struct problem *problem)
{
    for (uint32_t b = 0; problem->name && b < problem->buffers; b++)
        free(problem->name[b].text);
    free(problem->name);
    free(problem->size);
    free(problem->alignment);
    free(problem->fixed);
    free(problem->first);
    free(problem->segment);
    free(problem->pair);
}

uint32_t check_problem_find(const struct problem *problem, const char *name)
{
    uint32_t low = 0, high = problem->buffers;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(problem->name[middle].text, name);
        if (order == 0)
            return problem->name[middle].buffer;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return problem->buffers;
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

static uint64_t add_number(uint64_t hash, int64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64 " ", number);
    return add_text(hash, text);
}

uint64_t check_problem_fingerprint(const struct problem *problem)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        hash = add_number(hash, problem->size[b]);
        hash = add_number(hash, problem->alignment[b]);
        hash = add_number(hash, problem->fixed[b]);
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            hash = add_number(hash, problem->segment[s].lower);
            hash = add_number(hash, problem->segment[s].upper);
            hash = add_number(hash, problem->segment[s].begin);
            hash = add_number(hash, problem->segment[s].end);
        }
        hash = add_text(hash, "\n");
    }
    return hash;
}

static bool has_pair(const struct problem *problem, uint32_t i, uint32_t j)
{
    struct pair wanted = i < j ? (struct pair){i, j} : (struct pair){j, i};
    size_t low = 0, high = problem->pairs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct pair *pair = &problem->pair[middle];
        if (pair->first < wanted.first ||
            (pair->first == wanted.first && pair->second < wanted.second))
            low = middle + 1;
        else
            high = middle;
    }
    return low < problem->pairs && problem->pair[low].first == wanted.first &&
           problem->pair[low].second == wanted.second;
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
        raise_past(0, problem->size[i], 0, problem->size[j], &lower);
    /* What one pair of segments leaves open may be what another one, seen before, forbids. */
    while (lower <= upper && raised) {
        uint32_t s = problem->first[i], t = problem->first[j];
        raised = false;
        while (s < problem->first[i + 1] && t < problem->first[j + 1] && lower <= upper) {
            const struct segment *a = &problem->segment[s], *b = &problem->segment[t];
            if (a->lower < b->upper && b->lower < a->upper)
                raised = raise_past(a->begin, a->end, b->begin, b->end, &lower) || raised;
            if (a->upper < b->upper)
                s++;
            else
                t++;
        }
    }
    return lower > upper;
}
