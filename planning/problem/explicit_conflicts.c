#include "planning/problem/explicit_conflicts.h"
#include "planning/problem/copy.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"
#include "planning/problem/clique_cover.h"

static int compare_pairs(const void *left, const void *right)
{
    const struct problem_pair *a = left, *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->second < b->second ? -1 : a->second > b->second;
}

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

static enum status check_pairs(const struct problem *problem, const struct problem_pair *pair,
                               size_t pairs, struct error *error)
{
    for (size_t p = 0; p < pairs; p++)
        if (pair[p].first == pair[p].second)
            return error_set(error, STATUS_BAD_INPUT,
                             "found a conflict of buffer '%s' with itself, expected another",
                             names_get(&problem->names, pair[p].first));
    return STATUS_OK;
}

/* Which cliques each buffer is in: those of buffer b are clique[first[b] .. first[b + 1] - 1],
   rising. */
struct membership {
    uint32_t cliques; /* how many there are */
    uint64_t *first;  /* [buffers + 2] */
    uint32_t *clique;
};

static enum status list_cliques(const struct problem *problem, const struct clique_cover *cover,
                                struct membership *membership, struct error *error)
{
    TRY(memory_create(&membership->first, (size_t)problem->buffers + 2, sizeof(uint64_t), error));
    uint64_t *first = membership->first, members = cover->first[cover->count];
    membership->cliques = cover->count;
    TRY(memory_create(&membership->clique, members, sizeof(uint32_t), error));
    for (uint64_t i = 0; i < members; i++)
        first[cover->member[i] + 2]++;
    for (uint32_t b = 0; b < problem->buffers; b++)
        first[b + 2] += first[b + 1];
    assert(first[problem->buffers + 1] == members);
    for (uint32_t c = 0; c < cover->count; c++)
        for (uint64_t i = cover->first[c]; i < cover->first[c + 1]; i++)
            membership->clique[first[cover->member[i] + 1]++] = c;
    assert(first[problem->buffers] == members);
    return STATUS_OK;
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

/* Copies the buffers with the conflict steps of their cliques, which begin at `end`. Behind these,
   each buffer that would be live at no step at all gets a step of its own. */
static enum status copy_buffers(const struct problem *source, const struct membership *membership,
                                uint32_t end, struct problem *problem, struct error *error)
{
    uint32_t lonely = end + membership->cliques;
    for (uint32_t b = 0; b < source->buffers; b++) {
        uint64_t begin = membership->first[b], cliques = membership->first[b + 1] - begin;
        assert(problem->buffers == b);
        TRY(problem_add_copy(problem, source, b, error));
        TRY(add_steps(problem, end, membership->clique + begin, cliques, error));
        if (problem->first[b] == problem->segments) {
            TRY(add_steps(problem, lonely, &(uint32_t){0}, 1, error));
            lonely++;
        }
    }
    return STATUS_OK;
}

static uint32_t count_lonely(const struct problem *problem, const struct membership *membership)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem->first[b] == problem->first[b + 1] &&
            membership->first[b] == membership->first[b + 1])
            count++;
    return count;
}

static enum status append_steps(struct problem **problem, const struct membership *membership,
                                struct error *error)
{
    struct problem *source = *problem, *created;
    uint32_t end = problem_steps(source), lonely = count_lonely(source, membership);
    if (!membership->cliques && !lonely)
        return STATUS_OK;
    if ((uint64_t)end + membership->cliques + lonely >= PROBLEM_NO_LINE_END)
        return error_set(error, STATUS_BAD_INPUT,
                         "the conflicts need %u steps behind step %u, expected at most %u in all",
                         membership->cliques + lonely, end, PROBLEM_NO_LINE_END - 1);
    TRY(problem_create(&created, names_get(&source->name, 0), error));
    created->line_end = source->line_end < end ? source->line_end : end;
    enum status status = copy_buffers(source, membership, end, created, error);
    if (status) {
        problem_free(created);
        return status;
    }
    assert(problem_steps(created) == end + membership->cliques + lonely);
    assert(created->buffers == source->buffers);
    created->note = source->note;
    source->note = NULL;
    problem_free(source);
    *problem = created;
    return STATUS_OK;
}

enum status problem_conflicts_add(struct problem **problem, struct problem_pair *pair, size_t pairs,
                                  struct error *error)
{
    struct clique_cover cover = {0};
    struct membership membership = {0};
    enum status status;
    TRY(check_pairs(*problem, pair, pairs, error));
    pairs = arrange_pairs(*problem, pair, pairs, PROBLEM_NO_LINE_END);
    TRY_OR_DONE(status, clique_cover_create(*problem, pair, pairs, &cover, error));
    TRY_OR_DONE(status, list_cliques(*problem, &cover, &membership, error));
    TRY_OR_DONE(status, append_steps(problem, &membership, error));
done:
    clique_cover_free(&cover);
    memory_free(membership.first);
    memory_free(membership.clique);
    return status;
}

enum status problem_clique_add(struct problem **problem, const uint32_t *member, uint32_t count,
                               struct error *error)
{
    struct clique_cover cover = {.count = 1};
    struct membership membership = {0};
    enum status status;
    TRY_OR_DONE(status, memory_create(&cover.first, 2, sizeof *cover.first, error));
    TRY_OR_DONE(status, memory_create(&cover.member, count, sizeof *member, error));
    cover.first[1] = count;
    for (uint32_t i = 0; i < count; i++)
        cover.member[i] = member[i];
    TRY_OR_DONE(status, list_cliques(*problem, &cover, &membership, error));
    TRY_OR_DONE(status, append_steps(problem, &membership, error));
done:
    clique_cover_free(&cover);
    memory_free(membership.first);
    memory_free(membership.clique);
    return status;
}

static uint32_t begin_behind(const struct problem *problem, uint32_t segment)
{
    assert(segment < problem->segments && problem->lower[segment] < problem->upper[segment]);
    uint32_t lower = problem->lower[segment];
    return lower > problem->line_end ? lower : problem->line_end;
}

/* The live set of each step from line_end on, as cliques in the order of these steps. */
static enum status collect_cliques(const struct problem *problem, struct clique_cover *cover,
                                   struct error *error)
{
    uint32_t end = problem->line_end, steps = problem_steps(problem) - end;
    assert(end < problem_steps(problem));
    TRY(memory_create(&cover->first, (size_t)steps + 2, sizeof(uint64_t), error));
    for (uint32_t s = 0; s < problem->segments; s++)
        for (uint32_t step = begin_behind(problem, s); step < problem->upper[s]; step++)
            cover->first[step - end + 2]++;
    for (uint32_t c = 0; c < steps; c++)
        cover->first[c + 2] += cover->first[c + 1];
    TRY(memory_create(&cover->member, cover->first[steps + 1], sizeof(uint32_t), error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            for (uint32_t step = begin_behind(problem, s); step < problem->upper[s]; step++)
                cover->member[cover->first[step - end + 1]++] = b;
    assert(cover->first[steps] == cover->first[steps + 1]);
    cover->count = steps;
    return STATUS_OK;
}

static enum status collect_pairs(const struct clique_cover *cover, struct problem_pair **pair,
                                 size_t *pairs, struct error *error)
{
    size_t needed = 0;
    for (uint32_t c = 0; c < cover->count; c++) {
        size_t members = cover->first[c + 1] - cover->first[c];
        needed += members * (members - 1) / 2;
    }
    TRY(memory_create(pair, needed, sizeof **pair, error));
    *pairs = 0;
    for (uint32_t c = 0; c < cover->count; c++)
        for (uint64_t i = cover->first[c]; i < cover->first[c + 1]; i++)
            for (uint64_t j = i + 1; j < cover->first[c + 1]; j++)
                (*pair)[(*pairs)++] = (struct problem_pair){cover->member[i], cover->member[j]};
    assert(*pairs == needed);
    return STATUS_OK;
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
    struct clique_cover cover = {0};
    enum status status;
    *pair = NULL;
    *pairs = 0;
    if (problem->line_end >= problem_steps(problem))
        return STATUS_OK;
    TRY_OR_DONE(status, collect_cliques(problem, &cover, error));
    TRY_OR_DONE(status, collect_pairs(&cover, pair, pairs, error));
    assert(problem_conflicts_are_pairs(problem));
    *pairs = arrange_pairs(problem, *pair, *pairs, problem->line_end);
done:
    clique_cover_free(&cover);
    return status;
}
