#include "results/compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"

/* Compares what makes two rows the same job, except for content and planner. */
static int compare_settings(const struct result_row *a, const struct result_row *b)
{
    int order = strcmp(a->policy, b->policy);
    order = order ? order : strcmp(a->options, b->options);
    order = order ? order : compare_numbers(a->seed, b->seed);
    return order ? order : compare_numbers(a->repetition, b->repetition);
}

static int compare_jobs(const struct result_row *a, const struct result_row *b, bool planners)
{
    int order = strcmp(a->digest, b->digest);
    order = order || !planners ? order : strcmp(a->planner, b->planner);
    return order ? order : compare_settings(a, b);
}

static int compare_with_planner(const void *left, const void *right)
{
    const struct result_row *const *a = left, *const *b = right;
    return compare_jobs(*a, *b, true);
}

static int compare_without_planner(const void *left, const void *right)
{
    const struct result_row *const *a = left, *const *b = right;
    return compare_jobs(*a, *b, false);
}

static enum status sort_rows(const struct result_set *set, bool across_planners,
                             const struct result_row ***rows, struct error *error)
{
    TRY(memory_create(rows, set->count, sizeof **rows, error));
    for (uint32_t i = 0; i < set->count; i++)
        (*rows)[i] = &set->row[i];
    qsort(*rows, set->count, sizeof **rows,
          across_planners ? compare_without_planner : compare_with_planner);
    return STATUS_OK;
}

static bool is_finished(const struct result_row *row)
{
    return strcmp(row->status, RESULT_OPTIMAL) == 0 || strcmp(row->status, RESULT_INFEASIBLE) == 0;
}

static bool is_cut_short(const struct result_row *row)
{
    return row->nodes && !is_finished(row);
}

static void judge_bytes(struct comparison_pair *pair, const struct comparison_sides *sides)
{
    const struct result_row *first = pair->row[0], *second = pair->row[1];
    bool cut_short = is_cut_short(first) || is_cut_short(second);
    double tolerance = cut_short && sides->search_tolerance > sides->tolerance
                           ? sides->search_tolerance
                           : sides->tolerance;
    bool has[2] = {query_worth(first) == RESULT_NUMBER, query_worth(second) == RESULT_NUMBER};
    bool *both = &pair->has[COMPARISON_BYTES];
    enum comparison_verdict *verdict = &pair->verdict[COMPARISON_BYTES];
    *both = has[0] && has[1] && first->peak_bytes && second->peak_bytes;
    if (*both) {
        double log_ratio = log((double)second->peak_bytes / (double)first->peak_bytes);
        pair->log_ratio[COMPARISON_BYTES] = log_ratio;
        *verdict = second->peak_bytes < first->peak_bytes ? COMPARISON_WIN
                   : log_ratio > log1p(tolerance)         ? COMPARISON_LOSS
                                                          : COMPARISON_TIE;
    } else if (has[0] != has[1]) {
        *verdict = has[1] ? COMPARISON_WIN : COMPARISON_LOSS;
    } else {
        *verdict = has[0] ? COMPARISON_TIE : COMPARISON_NONE;
    }
}

/* Whether one search took more nodes than another one that was finished, by more than the
   tolerance. */
static bool takes_more(const struct result_row *longer, const struct result_row *finished,
                       double tolerance)
{
    return is_finished(finished) && finished->nodes &&
           (double)longer->nodes > (double)finished->nodes * (1 + tolerance);
}

/* Judges the numbers of nodes of a pair. A search that was cut short with fewer nodes than the
   finished one shows nothing. */
static void judge_nodes(struct comparison_pair *pair, double tolerance)
{
    const struct result_row *first = pair->row[0], *second = pair->row[1];
    bool both = first->nodes && second->nodes && is_finished(first) && is_finished(second);
    pair->has[COMPARISON_NODES] = both;
    if (both)
        pair->log_ratio[COMPARISON_NODES] = log((double)second->nodes / (double)first->nodes);
    pair->verdict[COMPARISON_NODES] = takes_more(second, first, tolerance)   ? COMPARISON_LOSS
                                      : takes_more(first, second, tolerance) ? COMPARISON_WIN
                                      : both                                 ? COMPARISON_TIE
                                                                             : COMPARISON_NONE;
}

/* The samples of a row: "ns ns ...", sorted. */
static uint32_t read_samples(const char *text, uint64_t *sample, uint32_t most)
{
    uint32_t count = 0;
    char *end;
    for (const char *at = text; count < most; at = end) {
        uint64_t value = strtoull(at, &end, 10);
        if (end == at)
            break;
        sample[count++] = value;
    }
    qsort(sample, count, sizeof *sample, compare_number_items);
    return count;
}

static void judge_time(struct comparison_pair *pair, double threshold)
{
    enum { MOST = 256 };
    struct statistics_interval median[2];
    pair->verdict[COMPARISON_TIME] = COMPARISON_NONE;
    for (int side = 0; side < 2; side++) {
        uint64_t sample[MOST];
        uint32_t count = read_samples(pair->row[side]->wall_samples, sample, MOST);
        if (!count || !sample[0])
            return;
        median[side] = statistics_median(sample, count);
    }
    double ratio = median[1].value / median[0].value;
    pair->has[COMPARISON_TIME] = true;
    pair->log_ratio[COMPARISON_TIME] = log(ratio);
    pair->verdict[COMPARISON_TIME] = COMPARISON_TIE;
    if (ratio > 1 + threshold && median[1].lower > median[0].upper)
        pair->verdict[COMPARISON_TIME] = COMPARISON_LOSS;
    else if (1 / ratio > 1 + threshold && median[1].upper < median[0].lower)
        pair->verdict[COMPARISON_TIME] = COMPARISON_WIN;
}

static void add_pair(struct comparison *comparison, const struct result_row *first,
                     const struct result_row *second)
{
    struct comparison_pair *pair = &comparison->pair[comparison->pairs++];
    *pair = (struct comparison_pair){.row = {first, second}};
    judge_bytes(pair, comparison->sides);
    judge_nodes(pair, comparison->sides->node_tolerance);
    judge_time(pair, comparison->sides->time_threshold);
    for (int figure = 0; figure < COMPARISON_FIGURES; figure++)
        comparison->verdicts[figure][pair->verdict[figure]]++;
    for (int side = 0; side < 2; side++)
        comparison->found[side] += query_worth(pair->row[side]) == RESULT_NUMBER &&
                                   query_worth(pair->row[!side]) != RESULT_NUMBER;
    comparison->nodes_differ += first->nodes != second->nodes;
    comparison->counters_differ +=
        pair->has[COMPARISON_NODES] && strcmp(first->counters, second->counters) != 0;
}

/* Matches the rows of both sides, which are sorted in the same way. */
static void match_rows(struct comparison *comparison, const struct result_row *const *first,
                       const struct result_row *const *second)
{
    const struct comparison_sides *sides = comparison->sides;
    uint32_t i = 0, k = 0;
    while (i < sides->set[0]->count && k < sides->set[1]->count) {
        int order = compare_jobs(first[i], second[k], !sides->across_planners);
        if (order == 0) {
            add_pair(comparison, first[i++], second[k++]);
        } else if (order < 0) {
            comparison->unmatched[0]++;
            i++;
        } else {
            comparison->unmatched[1]++;
            k++;
        }
    }
    comparison->unmatched[0] += sides->set[0]->count - i;
    comparison->unmatched[1] += sides->set[1]->count - k;
}

/* Counts the instances that have the same name on both sides but different contents. The sets are
   sorted by name. */
static uint32_t count_changed(const struct result_set *first, const struct result_set *second)
{
    uint32_t changed = 0, k = 0;
    for (uint32_t i = 0; i < first->count; i++) {
        const struct result_row *row = &first->row[i];
        if (i && strcmp(row->instance, first->row[i - 1].instance) == 0)
            continue;
        while (k < second->count && strcmp(second->row[k].instance, row->instance) < 0)
            k++;
        changed += k < second->count && strcmp(second->row[k].instance, row->instance) == 0 &&
                   strcmp(second->row[k].digest, row->digest) != 0;
    }
    return changed;
}

/* The means of the logarithms over the pairs of each instance; the pairs are sorted by content. */
struct means {
    double *mean[COMPARISON_FIGURES]; /* [count[figure]] */
    uint32_t count[COMPARISON_FIGURES];
};

static void find_means(struct comparison *comparison, struct means *means)
{
    for (uint32_t first = 0, end; first < comparison->pairs; first = end) {
        const struct result_row *row = comparison->pair[first].row[0];
        double sum[COMPARISON_FIGURES] = {0};
        uint32_t pairs[COMPARISON_FIGURES] = {0};
        for (end = first; end < comparison->pairs; end++) {
            const struct comparison_pair *pair = &comparison->pair[end];
            if (strcmp(pair->row[0]->digest, row->digest) != 0)
                break;
            for (int figure = 0; figure < COMPARISON_FIGURES; figure++) {
                sum[figure] += pair->log_ratio[figure];
                pairs[figure] += pair->has[figure];
            }
        }
        for (int figure = 0; figure < COMPARISON_FIGURES; figure++)
            if (pairs[figure])
                means->mean[figure][means->count[figure]++] = sum[figure] / pairs[figure];
        if (pairs[COMPARISON_BYTES])
            comparison->instance[comparison->instances++] =
                (struct comparison_instance){row->instance, pairs[COMPARISON_BYTES],
                                             sum[COMPARISON_BYTES] / pairs[COMPARISON_BYTES]};
    }
}

static enum status find_ratio(const double *log_ratio, uint32_t count,
                              struct statistics_interval *ratio, struct error *error)
{
    *ratio = (struct statistics_interval){1, 1, 1};
    if (!count)
        return STATUS_OK;
    TRY(statistics_mean(log_ratio, count, ratio, error));
    *ratio = (struct statistics_interval){exp(ratio->value), exp(ratio->lower), exp(ratio->upper)};
    return STATUS_OK;
}

static int compare_pairs(const void *left, const void *right)
{
    const struct comparison_pair *a = left, *b = right;
    int order = strcmp(a->row[0]->instance, b->row[0]->instance);
    order = order ? order : strcmp(a->row[0]->digest, b->row[0]->digest);
    order = order ? order : strcmp(a->row[0]->planner, b->row[0]->planner);
    return order ? order : compare_settings(a->row[0], b->row[0]);
}

static enum status fill(struct comparison *comparison, const struct result_row *const *first,
                        const struct result_row *const *second, struct error *error)
{
    struct means means = {0};
    const struct comparison_sides *sides = comparison->sides;
    uint32_t most =
        sides->set[0]->count < sides->set[1]->count ? sides->set[0]->count : sides->set[1]->count;
    enum status status;
    TRY(memory_create(&comparison->pair, most, sizeof *comparison->pair, error));
    match_rows(comparison, first, second);
    comparison->changed = count_changed(sides->set[0], sides->set[1]);
    TRY_OR_DONE(status,
                memory_create(&comparison->instance, most, sizeof *comparison->instance, error));
    for (int figure = 0; figure < COMPARISON_FIGURES; figure++)
        TRY_OR_DONE(status,
                    memory_create(&means.mean[figure], most, sizeof *means.mean[figure], error));
    find_means(comparison, &means);
    for (uint32_t i = 0; i < comparison->instances; i++) {
        comparison->better += comparison->instance[i].log_bytes < 0;
        comparison->worse += comparison->instance[i].log_bytes > 0;
    }
    comparison->sign_p = statistics_sign_test(comparison->better, comparison->worse);
    TRY_OR_DONE(status, statistics_signed_rank_test(means.mean[COMPARISON_BYTES],
                                                    means.count[COMPARISON_BYTES],
                                                    &comparison->rank_p, error));
    for (int figure = 0; figure < COMPARISON_FIGURES; figure++)
        TRY_OR_DONE(status, find_ratio(means.mean[figure], means.count[figure],
                                       &comparison->ratio[figure], error));
    qsort(comparison->pair, comparison->pairs, sizeof *comparison->pair, compare_pairs);
done:
    for (int figure = 0; figure < COMPARISON_FIGURES; figure++)
        memory_free(means.mean[figure]);
    return status;
}

enum status comparison_create(const struct comparison_sides *sides, struct comparison *comparison,
                              struct error *error)
{
    const struct result_row **first = NULL, **second = NULL;
    enum status status;
    *comparison = (struct comparison){.sides = sides};
    TRY_OR_DONE(status, sort_rows(sides->set[0], sides->across_planners, &first, error));
    TRY_OR_DONE(status, sort_rows(sides->set[1], sides->across_planners, &second, error));
    status = fill(comparison, first, second, error);
done:
    memory_free(first);
    memory_free(second);
    if (status)
        comparison_free(comparison);
    return status;
}

void comparison_free(struct comparison *comparison)
{
    memory_free(comparison->pair);
    memory_free(comparison->instance);
    *comparison = (struct comparison){0};
}

bool comparison_is_worse(const struct comparison *comparison)
{
    const struct comparison_sides *sides = comparison->sides;
    if (sides->across_planners)
        return comparison->ratio[COMPARISON_BYTES].value > 1 + sides->tolerance;
    return comparison->verdicts[COMPARISON_BYTES][COMPARISON_LOSS] > 0 ||
           (sides->judges_nodes && comparison->verdicts[COMPARISON_NODES][COMPARISON_LOSS] > 0);
}
