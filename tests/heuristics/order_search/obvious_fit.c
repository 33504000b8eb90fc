#include "heuristics/order_search/obvious_fit.h"

bool obvious_conflict(const struct problem *problem, uint32_t a, uint32_t b)
{
    for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
        for (uint32_t t = problem->first[b]; t < problem->first[b + 1]; t++)
            if (problem->lower[s] < problem->upper[t] && problem->lower[t] < problem->upper[s])
                return a != b;
    return false;
}

/* Moves *offset above a placed buffer that is in the way. */
static bool move_up(const struct problem *problem, const uint64_t *size, const uint64_t *placed,
                    uint32_t buffer, uint64_t *offset)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (placed[b] != PROBLEM_FREE && obvious_conflict(problem, buffer, b) &&
            placed[b] < *offset + size[buffer] && *offset < placed[b] + size[b]) {
            *offset = placed[b] + size[b];
            while (*offset % problem_alignment(problem, buffer))
                ++*offset;
            return true;
        }
    return false;
}

uint64_t obvious_first_fit(const struct problem *problem, const uint64_t *size,
                           const uint32_t *order, uint32_t count, uint64_t *offset)
{
    uint64_t peak = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = problem_fixed_offset(problem, b);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t found = 0;
        if (problem_fixed_offset(problem, order[i]) != PROBLEM_FREE)
            continue;
        while (move_up(problem, size, offset, order[i], &found))
            continue;
        offset[order[i]] = found;
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (offset[b] != PROBLEM_FREE && offset[b] + size[b] > peak)
            peak = offset[b] + size[b];
    return peak;
}

void obvious_sort(const struct problem *problem, obvious_before *before, uint32_t *order)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint32_t place = b;
        for (; place > 0 && before(problem, b, order[place - 1]); place--)
            order[place] = order[place - 1];
        order[place] = b;
    }
}

uint32_t obvious_degree(const struct problem *problem, uint32_t buffer)
{
    uint32_t degree = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        degree += obvious_conflict(problem, buffer, b);
    return degree;
}
