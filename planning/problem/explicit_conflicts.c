#include "planning/problem/explicit_conflicts.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/groups.h"
#include "core/memory.h"
#include "planning/problem/clique_cover.h"
#include "planning/problem/copy.h"

COMPARE_MEMBERS(compare_pairs, struct problem_pair, first, second)

/* Leaves each pair once, the lower buffer first, without those that conflict before end anyway. */
static size_t arrange_pairs(const struct problem *problem, struct problem_pair *pair, size_t pairs,
                            uint32_t end)
{
    size_t kept = 0;
    for (size_t p = 0; p < pairs; p++)
        if (pair[p].first > pair[p].second)
            pair[p] = (struct problem_pair){pair[p].second, pair[p].first};
    if (pairs)
        qsort(pair, pairs, sizeof *pair, compare_pairs);
    for (size_t p = 0; p < pairs; p++)
        if ((!kept || compare_pairs(&pair[kept - 1], &pair[p]) != 0) &&
            !problem_conflicts_in_time(problem, pair[p].first, pair[p].second, end))
            pair[kept++] = pair[p];
    assert(kept <= pairs);
    return kept;
}

/* Makes the problem's last buffer live at the conflict steps of its cliques: clique c has the step
   end + c, and adjoining steps are one segment. */
static enum status add_steps(struct problem *problem, uint32_t end, const uint32_t *clique,
                             uint64_t cliques, struct error *error)
{
    uint64_t whole = problem->size[problem->buffers - 1];
    assert(problem->buffers > 0);
    for (uint64_t from = 0, to; from < cliques; from = to) {
        for (to = from + 1; to < cliques && clique[to] == clique[to - 1] + 1;)
            to++;
        assert(clique[to - 1] - clique[from] == to - 1 - from);
        TRY(problem_add_segment(
            problem,
            (struct problem_segment){end + clique[from], end + clique[to - 1] + 1, 0, whole},
            error));
    }
    return STATUS_OK;
}

/* The buffer would be live at no step at all. */
static bool is_lonely(const struct problem *problem, const struct groups *cliques, uint32_t b)
{
    return problem->first[b] == problem->first[b + 1] && cliques->first[b] == cliques->first[b + 1];
}

/* Adds one step for each clique behind the last step, and behind these one for each lonely
   buffer. */
static enum status add_cliques(struct problem **problem, const struct clique_cover *cover,
                               struct error *error)
{
    const struct problem *source = *problem;
    SCOPED(groups_free) struct groups cliques = {0}; /* [buffers] of each, rising */
    SCOPED(problem_release) struct problem *created = NULL;
    uint32_t end = problem_steps(source), lonely = end + cover->count;
    assert(cover->count == 0 || cover->first[0] == 0);
    uint64_t last = (uint64_t)end + cover->count;
    TRY(groups_begin(&cliques, source->buffers, error));
    for (uint64_t i = 0; i < cover->first[cover->count]; i++)
        groups_count(&cliques, cover->member[i]);
    TRY(groups_end_counting(&cliques, error));
    for (uint32_t c = 0; c < cover->count; c++)
        for (uint64_t i = cover->first[c]; i < cover->first[c + 1]; i++)
            groups_add(&cliques, cover->member[i], c);
    for (uint32_t b = 0; b < source->buffers; b++)
        last += is_lonely(source, &cliques, b);
    if (last == end)
        return STATUS_OK;
    if (last >= PROBLEM_NO_LINE_END)
        return error_set(error, STATUS_BAD_INPUT,
                         "the conflicts need %u steps behind step %u, expected at most %u in all",
                         (uint32_t)(last - end), end, PROBLEM_NO_LINE_END - 1);
    TRY(problem_create(&created, names_get(&source->name, 0), error));
    created->line_end = source->line_end < end ? source->line_end : end;
    for (uint32_t b = 0; b < source->buffers; b++) {
        uint64_t first = cliques.first[b];
        TRY(problem_add_copy(created, source, b, error));
        TRY(add_steps(created, end, cliques.item + first, cliques.first[b + 1] - first, error));
        if (is_lonely(source, &cliques, b))
            TRY(add_steps(created, lonely++, &(uint32_t){0}, 1, error));
    }
    assert(lonely == last);
    problem_replace(problem, &created);
    return STATUS_OK;
}

enum status problem_conflicts_add(struct problem **problem, struct problem_pair *pair, size_t pairs,
                                  struct error *error)
{
    SCOPED(clique_cover_free) struct clique_cover cover = {0};
    for (size_t p = 0; p < pairs; p++)
        if (pair[p].first == pair[p].second)
            return error_set(error, STATUS_BAD_INPUT,
                             "found a conflict of buffer '%s' with itself, expected another",
                             names_get(&(*problem)->names, pair[p].first));
    pairs = arrange_pairs(*problem, pair, pairs, PROBLEM_NO_LINE_END);
    TRY(clique_cover_create(*problem, pair, pairs, &cover, error));
    return add_cliques(problem, &cover, error);
}

enum status problem_clique_add(struct problem **problem, uint32_t *member, uint32_t count,
                               struct error *error)
{
    uint64_t first[] = {0, count};
    assert(count <= (*problem)->buffers);
    return add_cliques(problem,
                       &(struct clique_cover){.count = 1, .first = first, .member = member}, error);
}

static uint32_t begin_behind(const struct problem *problem, uint32_t segment)
{
    assert(segment < problem->segments && problem->lower[segment] < problem->upper[segment]);
    uint32_t lower = problem->lower[segment];
    return lower > problem->line_end ? lower : problem->line_end;
}

bool problem_conflicts_are_pairs(const struct problem *problem)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            if (problem->upper[s] > problem->line_end && !problem_segment_is_whole(problem, b, s))
                return false;
    return true;
}

enum status problem_conflicts_list(const struct problem *problem, struct problem_pair **pair,
                                   size_t *pairs, struct error *error)
{
    SCOPED(groups_free) struct groups live = {0};
    size_t most = 0, listed = 0;
    uint32_t end = problem->line_end;
    *pair = NULL;
    *pairs = 0;
    if (end >= problem_steps(problem))
        return STATUS_OK;
    assert(problem_conflicts_are_pairs(problem));
    /* The live set of each step from line_end on. */
    TRY(groups_begin(&live, problem_steps(problem) - end, error));
    for (uint32_t s = 0; s < problem->segments; s++)
        for (uint32_t step = begin_behind(problem, s); step < problem->upper[s]; step++)
            groups_count(&live, step - end);
    TRY(groups_end_counting(&live, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            for (uint32_t step = begin_behind(problem, s); step < problem->upper[s]; step++)
                groups_add(&live, step - end, b);
    for (uint32_t l = 0; l < live.lists; l++) {
        size_t members = live.first[l + 1] - live.first[l];
        assert(members <= problem->buffers);
        most += members * (members - (members > 0)) / 2;
    }
    TRY(memory_create(pair, most, sizeof **pair, error));
    for (uint32_t l = 0; l < live.lists; l++)
        for (uint64_t i = live.first[l]; i < live.first[l + 1]; i++)
            for (uint64_t j = i + 1; j < live.first[l + 1]; j++)
                (*pair)[listed++] = (struct problem_pair){live.item[i], live.item[j]};
    assert(listed == most);
    *pairs = arrange_pairs(problem, *pair, listed, end);
    return STATUS_OK;
}
