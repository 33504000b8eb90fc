/* Theorem 2 of boxing.h: jobs of about one height are divided around critical times into groups
   that are live at one time, which Lemma 1 boxes. */

#include <assert.h>
#include <stdlib.h>

#include "core/binary_search.h"
#include "core/compare.h"
#include "core/memory.h"
#include "heuristics/idealloc/live_jobs.h"

/* The jobs at positions [begin, end), of which `count` are not boxed yet and all are live inside
   [left, right]. They are to be boxed around the piece's critical times. */
struct piece {
    uint32_t begin, end, count;
    uint64_t left, right;
    uint64_t first_time, times;
};

/* The state of the division. Pieces wait in a queue, so that even a deep division needs no
   recursion. */
struct division {
    struct boxing *boxing;
    const struct boxing_target *target;
    struct live_jobs live_jobs;
    struct piece *piece;
    uint32_t pieces;
    uint64_t *time; /* critical times of all pieces, in ascending order within each */
    uint64_t times;
    uint64_t *gap; /* [gaps] the ends of the gaps in the rows of the present piece */
    uint32_t gaps;
    size_t piece_capacity, time_capacity, gap_capacity;
    struct boxing_list live, left;
};

static enum status add_time(struct division *division, uint64_t time, struct error *error)
{
    TRY(memory_reserve(&division->time, &division->time_capacity, division->times + 1,
                       sizeof *division->time, error));
    division->time[division->times++] = time;
    return STATUS_OK;
}

/* Draws a time at which some job of the piece is live: just after a birth or just before a
   death. */
static uint64_t draw_time(struct division *division, const struct piece *piece)
{
    struct boxing *boxing = division->boxing;
    uint64_t event = random_below(&boxing->random, 2 * (uint64_t)piece->count);
    uint32_t position = live_jobs_find(&division->live_jobs, piece->begin, (uint32_t)(event / 2));
    const struct boxing_job *job = &boxing->job[division->live_jobs.list[position]];
    return event % 2 ? job->death - 1 : job->birth + 1;
}

/* Adds a piece, whose critical times are the gaps inside it. If no job of the piece is live at any
   of them, a time at which one is live is drawn. So every piece loses at least one job, and the
   division ends. */
static enum status add_piece(struct division *division, struct piece piece, struct error *error)
{
    const uint64_t *gap = division->gap;
    uint32_t from = BINARY_SEARCH(at, 0, division->gaps, gap[at] > piece.left);
    bool live = false;
    assert(piece.count > 0 && piece.left < piece.right);
    piece.first_time = division->times;
    for (; from < division->gaps && gap[from] < piece.right; from++, piece.times++) {
        TRY(add_time(division, gap[from], error));
        live = live || live_jobs_any_at(&division->live_jobs, piece.begin, gap[from]);
    }
    if (!live) {
        uint64_t time = draw_time(division, &piece), at = division->times;
        TRY(add_time(division, time, error));
        for (; at > piece.first_time && division->time[at - 1] > time; at--)
            division->time[at] = division->time[at - 1];
        division->time[at] = time;
        piece.times++;
    }
    TRY(memory_reserve(&division->piece, &division->piece_capacity, (size_t)division->pieces + 1,
                       sizeof *division->piece, error));
    division->piece[division->pieces++] = piece;
    return STATUS_OK;
}

/* The index of the group to which a job belongs. The times are divided at their median again and
   again; the first median at which the job is live is its group. */
static uint32_t find_group(const struct boxing_job *job, const uint64_t *time, uint64_t times)
{
    uint64_t low = 0, high = times;
    for (;;) {
        uint64_t middle = low + (high - low) / 2;
        if (time[middle] <= job->birth)
            low = middle + 1;
        else if (time[middle] >= job->death)
            high = middle;
        else
            return (uint32_t)middle;
    }
}

/* Sorts a list by the key of each position. Equal keys keep their order, and the keys are moved
   along with the jobs. */
static void sort_by(struct boxing *boxing, struct boxing_list list, uint32_t *key)
{
    for (uint32_t i = 0; i < list.count; i++)
        boxing->keyed[i] = (struct boxing_keyed){(double)key[i], i, list.job[i]};
    boxing_sort_keyed(boxing->keyed, list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        list.job[i] = boxing->keyed[i].job;
        key[i] = (uint32_t)boxing->keyed[i].key;
    }
}

static enum status box_groups(struct division *division, const struct piece *piece,
                              struct error *error)
{
    struct boxing *boxing = division->boxing;
    struct boxing_list live = division->live;
    uint32_t *group = boxing->row;
    for (uint32_t i = 0; i < live.count; i++)
        group[i] =
            find_group(&boxing->job[live.job[i]], division->time + piece->first_time, piece->times);
    sort_by(boxing, live, group);
    division->left.count = 0;
    for (uint32_t i = 0, end; i < live.count; i = end) {
        for (end = i + 1; end < live.count && group[end] == group[i];)
            end++;
        TRY(boxing_lemma_1(boxing, (struct boxing_list){live.job + i, end - i}, division->target,
                           &division->left, error));
    }
    return STATUS_OK;
}

static enum status add_gap(struct division *division, uint64_t time, struct error *error)
{
    TRY(memory_reserve(&division->gap, &division->gap_capacity, (size_t)division->gaps + 1,
                       sizeof *division->gap, error));
    division->gap[division->gaps++] = time;
    return STATUS_OK;
}

/* Boxes the jobs that Lemma 1 left over. They are put into rows, and as many rows as a box may hold
   jobs go into each box. The gaps in the rows become the critical times of the next pieces. */
static enum status box_rows(struct division *division, const struct piece *piece,
                            struct error *error)
{
    struct boxing *boxing = division->boxing;
    struct boxing_list left = division->left;
    uint32_t *row = boxing->row, box_first = 0;
    boxing_sort(boxing, BOXING_BIRTH, left);
    boxing_colour(boxing, left, row);
    sort_by(boxing, left, row);
    division->gaps = 0;
    for (uint32_t i = 0, end; i < left.count; i = end) {
        uint64_t free_from = piece->left;
        for (end = i; end < left.count && row[end] == row[i]; end++) {
            const struct boxing_job *next = &boxing->job[left.job[end]];
            if (free_from < next->birth) {
                TRY(add_gap(division, free_from, error));
                TRY(add_gap(division, next->birth, error));
            }
            free_from = next->death;
        }
        if (free_from < piece->right)
            TRY(add_gap(division, free_from, error));
        if (end < left.count && (row[i] + (uint64_t)1) % division->target->jobs)
            continue;
        TRY(boxing_add_box(boxing, (struct boxing_list){left.job + box_first, end - box_first},
                           division->target, error));
        box_first = end;
    }

    uint32_t kept = 0;
    if (division->gaps)
        qsort(division->gap, division->gaps, sizeof *division->gap, compare_number_items);
    for (uint32_t i = 0; i < division->gaps; i++)
        if (!kept || division->gap[kept - 1] != division->gap[i])
            division->gap[kept++] = division->gap[i];
    division->gaps = kept;
    return STATUS_OK;
}

static enum status divide_piece(struct division *division, struct piece piece, struct error *error)
{
    struct live_jobs *live_jobs = &division->live_jobs;
    /* The jobs that are live at one of the critical times come in the order of birth, because a job
       that is live at a time but not at the one before is born between the two. */
    division->live.count = 0;
    for (uint64_t i = 0; i < piece.times; i++)
        live_jobs_take_at(live_jobs, piece.begin, division->time[piece.first_time + i],
                          &division->live);
    assert(division->live.count > 0 && division->live.count <= piece.count);
    TRY(box_groups(division, &piece, error));
    TRY(box_rows(division, &piece, error));

    /* The other jobs make new pieces, one for each interval between two critical times. */
    struct piece rest = {.begin = piece.begin, .left = piece.left};
    for (uint64_t i = 0; i <= piece.times; i++) {
        bool last = i == piece.times;
        rest.right = last ? piece.right : division->time[piece.first_time + i];
        rest.end = last ? piece.end : live_jobs_find_birth(live_jobs, rest.right);
        rest.count = live_jobs_count(live_jobs, rest.begin, rest.end);
        if (rest.count)
            TRY(add_piece(division, rest, error));
        rest.begin = rest.end;
        rest.left = rest.right;
    }
    return STATUS_OK;
}

static void free_division(struct division *division)
{
    memory_free_all(division->piece, division->time, division->gap);
}

enum status boxing_theorem_2(struct boxing *boxing, struct boxing_list list,
                             const struct boxing_target *target, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(free_division)
    struct division division = {.boxing = boxing,
                                .target = target,
                                .live = {boxing->group, 0},
                                .left = {boxing->unresolved, 0}};
    assert(list.count > 0 && target->jobs > 0);
    boxing_sort(boxing, BOXING_BIRTH, list);
    struct piece all = {
        .end = list.count, .count = list.count, .left = boxing->job[list.job[0]].birth};
    for (uint32_t i = 0; i < list.count; i++) {
        uint64_t death = boxing->job[list.job[i]].death;
        all.right = death > all.right ? death : all.right;
    }
    TRY(live_jobs_create(boxing, list, &division.live_jobs, &scratch, error));
    TRY(add_piece(&division, all, error));
    for (uint32_t i = 0; i < division.pieces; i++)
        TRY(divide_piece(&division, division.piece[i], error));
    return STATUS_OK;
}
