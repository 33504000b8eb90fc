#include <CUnit/CUnit.h>
#include <stdio.h>

#include "planning/path_reference.h"

static bool has_clash(const struct reference *reference, uint32_t a, uint32_t b, uint64_t a_bytes,
                      uint64_t b_bytes)
{
    for (uint32_t i = 0; i < reference->clashes; i++) {
        const struct reference_clash *clash = &reference->clash[i];
        if ((clash->first_place == a && clash->second_place == b && clash->first_bytes >= a_bytes &&
             clash->second_bytes >= b_bytes) ||
            (clash->first_place == b && clash->second_place == a && clash->first_bytes >= b_bytes &&
             clash->second_bytes >= a_bytes))
            return true;
    }
    return false;
}

static const char *get_name(const struct reference *reference, uint32_t tensor)
{
    return names_get(&reference->graph->tensor_names, tensor);
}

/* Whatever meets in the problem clashes. */
static bool meets_rightly(const struct reference *reference, const struct problem *problem,
                          const uint32_t *tensor)
{
    for (uint32_t a = 0; a < problem->buffers; a++)
        for (uint32_t b = 0; b < a; b++)
            for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
                for (uint32_t u = problem->first[b]; u < problem->first[b + 1]; u++) {
                    if (problem->lower[s] >= problem->upper[u] ||
                        problem->lower[u] >= problem->upper[s] ||
                        has_clash(reference, tensor[a], tensor[b], problem_window_upper(problem, s),
                                  problem_window_upper(problem, u)))
                        continue;
                    printf("\n%s (%llu) and %s (%llu) meet at step %u and never clash\n",
                           get_name(reference, tensor[a]),
                           (unsigned long long)problem_window_upper(problem, s),
                           get_name(reference, tensor[b]),
                           (unsigned long long)problem_window_upper(problem, u),
                           problem->lower[s] > problem->lower[u] ? problem->lower[s]
                                                                 : problem->lower[u]);
                    return false;
                }
    return true;
}

static uint32_t find_buffer(const struct problem *problem, const uint32_t *tensor, uint32_t place)
{
    uint32_t b = 0;
    while (b < problem->buffers && tensor[b] != place)
        b++;
    CU_ASSERT_FATAL(b < problem->buffers);
    return b;
}

static bool meet(const struct problem *problem, uint32_t a, uint32_t b,
                 const struct reference_clash *clash)
{
    for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
        for (uint32_t u = problem->first[b]; u < problem->first[b + 1]; u++)
            if (problem->lower[s] < problem->upper[u] && problem->lower[u] < problem->upper[s] &&
                problem_window_upper(problem, s) >= clash->first_bytes &&
                problem_window_upper(problem, u) >= clash->second_bytes)
                return true;
    return false;
}

bool reference_agrees(const struct reference *reference, const struct problem *problem,
                      const uint32_t *tensor)
{
    for (uint32_t i = 0; i < reference->clashes; i++) {
        const struct reference_clash *clash = &reference->clash[i];
        if (meet(problem, find_buffer(problem, tensor, clash->first_place),
                 find_buffer(problem, tensor, clash->second_place), clash))
            continue;
        printf("\n%s (%llu) and %s (%llu) clash and do not meet\n",
               get_name(reference, clash->first_place), (unsigned long long)clash->first_bytes,
               get_name(reference, clash->second_place), (unsigned long long)clash->second_bytes);
        return false;
    }
    return meets_rightly(reference, problem, tensor);
}
