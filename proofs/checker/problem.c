#include "proofs/checker/problem.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void check_problem_free(struct problem *problem)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        free(problem->buffer[b].name);
    free(problem->buffer);
    free(problem->segment);
    free(problem->pair);
    free(problem->by_name);
}

uint32_t check_problem_find(const struct problem *problem, const char *name, size_t length)
{
    uint32_t low = 0, high = problem->buffers;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, b = problem->by_name[middle];
        int order = strncmp(problem->buffer[b].name, name, length);
        order = order ? order : problem->buffer[b].name[length] != 0;
        if (order == 0)
            return b;
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

static uint64_t add_numbers(uint64_t hash, int count, const int64_t *number)
{
    char text[32];
    for (int i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%" PRId64 " ", number[i]);
        hash = add_text(hash, text);
    }
    return hash;
}

uint64_t check_problem_fingerprint(const struct problem *problem)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct buffer *buffer = &problem->buffer[b];
        hash = add_numbers(hash, 3, (int64_t[]){buffer->size, buffer->alignment, buffer->fixed});
        for (size_t s = buffer->first; s < buffer->end; s++) {
            const struct segment *at = &problem->segment[s];
            hash = add_numbers(hash, 4, (int64_t[]){at->lower, at->upper, at->begin, at->end});
        }
        hash = add_text(hash, "\n");
    }
    return hash;
}

int check_problem_compare_pairs(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->second > b->second) - (a->second < b->second);
}

static bool has_pair(const struct problem *problem, uint32_t i, uint32_t j)
{
    const struct pair wanted = i < j ? (struct pair){i, j} : (struct pair){j, i};
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
    assert(i < problem->buffers && j < problem->buffers);
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
    assert(i < problem->buffers && j < problem->buffers);
    if (a->fixed != BUFFER_FREE || b->fixed != BUFFER_FREE || a->size != b->size ||
        a->alignment != b->alignment || a->paired || b->paired ||
        a->end - a->first != b->end - b->first)
        return false;
    for (size_t s = a->first, t = b->first; s < a->end; s++, t++) {
        const struct segment *left = &problem->segment[s], *right = &problem->segment[t];
        if (left->lower != right->lower || left->upper != right->upper ||
            left->begin != right->begin || left->end != right->end)
            return false;
    }
    return true;
}
