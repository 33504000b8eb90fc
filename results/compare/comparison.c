#include "results/compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "results/store/failure.h"

/* The rows of one side that differ only in their repetition. */
struct job {
    const struct result_row *row; /* the one that stands for all: one without a plan that counts, if
                                     there is any, else that with the lower median of the peaks */
    const struct result_row *const *of; /* [rows] all of them */
    uint32_t rows;
};

struct jobs {
    const struct result_row **row; /* of all jobs */
    struct job *job;               /* [count] */
    uint32_t count;
};

/* Compares two rows by all that makes them the same job, except content and planner. */
static int compare_settings(const struct result_row *a, const struct result_row *b)
{
    int order = strcmp(a->policy, b->policy);
    order = order ? order : strcmp(a->options, b->options);
    return order ? order : compare_numbers(a->seed, b->seed);
}

static int compare_jobs(const struct result_row *a, const struct result_row *b, bool planners)
{
    int order = strcmp(a->digest, b->digest);
    order = order || !planners ? order : strcmp(a->planner, b->planner);
    return order ? order : compare_settings(a, b);
}

/* Sorts the rows of a job by name, since two instances may have one content, and those without a
   plan that counts first. */
static int compare_rows(const struct result_row *a, const struct result_row *b, bool planners)
{
    int order = compare_jobs(a, b, planners);
    order = order ? order : strcmp(a->instance, b->instance);
    if (order)
        return order;
    bool counts = query_worth(a) == RESULT_NUMBER, other_counts = query_worth(b) == RESULT_NUMBER;
    order = counts - other_counts;
    order = order || !counts ? order : compare_numbers(a->peak_bytes, b->peak_bytes);
    return order ? order : compare_numbers(a->repetition, b->repetition);
}

/* Compare two rows in a list, with the planner or without it. */
static int compare_with_planner(const void *left, const void *right)
{
    const struct result_row *const *a = left, *const *b = right;
    return compare_rows(*a, *b, true);
}

static int compare_without_planner(const void *left, const void *right)
{
    const struct result_row *const *a = left, *const *b = right;
    return compare_rows(*a, *b, false);
}

static enum status list_jobs(const struct result_set *set, bool across_planners, struct jobs *jobs,
                             struct error *error)
{
    TRY(memory_create_all(set->count, error, &jobs->row, &jobs->job));
    for (uint32_t i = 0; i < set->count; i++)
        jobs->row[i] = &set->row[i];
    qsort(jobs->row, set->count, sizeof *jobs->row,
          across_planners ? compare_without_planner : compare_with_planner);
    for (uint32_t first = 0, end; first < set->count; first = end) {
        const struct result_row *const *of = (const struct result_row *const *)&jobs->row[first];
        for (end = first + 1; end < set->count; end++)
            if (compare_jobs(*of, jobs->row[end], !across_planners) != 0 ||
                strcmp((*of)->instance, jobs->row[end]->instance) != 0)
                break;
        uint32_t rows = end - first, place = query_worth(*of) == RESULT_NUMBER ? (rows - 1) / 2 : 0;
        jobs->job[jobs->count++] = (struct job){of[place], of, rows};
    }
    return STATUS_OK;
}

static void free_jobs(struct jobs *jobs)
{
    memory_free_all(jobs->row, jobs->job);
}

static bool is_finished(const struct result_row *row)
{
    return strcmp(row->status, RESULT_OPTIMAL) == 0 || strcmp(row->status, RESULT_INFEASIBLE) == 0;
}

static void judge_bytes(struct comparison_pair *pair, const struct comparison_sides *sides)
{
    const struct result_row *first = pair->row[0], *second = pair->row[1];
    bool cut_short =
        (first->nodes && !is_finished(first)) || (second->nodes && !is_finished(second));
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
        bool failed[2] = {failure_kind(first) < FAILURE_KINDS,
                          failure_kind(second) < FAILURE_KINDS};
        *verdict = has[0]                   ? COMPARISON_TIE
                   : failed[0] == failed[1] ? COMPARISON_NONE
                   : failed[1]              ? COMPARISON_LOSS
                                            : COMPARISON_WIN;
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

/* The most samples of a job that are looked at. */
enum { MOST_SAMPLES = 1024 };

/* Adds the samples of a row, and returns how many there are now. */
static uint32_t read_samples(const struct result_row *row, uint64_t *sample, uint32_t count)
{
    char *end;
    for (const char *at = row->wall_samples; count < MOST_SAMPLES; at = end) {
        uint64_t value = strtoull(at, &end, 10);
        if (end == at)
            break;
        sample[count++] = value;
    }
    return count;
}

static void judge_time(struct comparison_pair *pair, const struct job *const job[2],
                       double threshold)
{
    struct statistics_interval median[2];
    pair->verdict[COMPARISON_TIME] = COMPARISON_NONE;
    for (int side = 0; side < 2; side++) {
        uint64_t sample[MOST_SAMPLES];
        uint32_t count = 0;
        for (uint32_t i = 0; i < job[side]->rows; i++)
            count = read_samples(job[side]->of[i], sample, count);
        qsort(sample, count, sizeof *sample, compare_number_items);
        if (!count || !sample[0])
            return;
        median[side] = statistics_median(sample, count);
        pair->wall_ns[side] = (uint64_t)median[side].value;
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

/* The planner of a pair, which is added if it is new. */
static enum status find_planner(struct comparison *comparison, struct names *planners,
                                const char *name, struct comparison_planner **found,
                                struct error *error)
{
    uint32_t index = names_find(planners, name);
    if (index == NAMES_NONE) {
        index = planners->count;
        TRY(names_add(planners, name, error));
        TRY(memory_reserve(&comparison->planner, &comparison->planner_capacity, (size_t)index + 1,
                           sizeof *comparison->planner, error));
        comparison->planner[index] = (struct comparison_planner){.name = name};
        comparison->planners = planners->count;
    }
    *found = &comparison->planner[index];
    return STATUS_OK;
}

static void add_pair(struct comparison *comparison, const struct job *const job[2])
{
    const struct result_row *first = job[0]->row, *second = job[1]->row;
    struct comparison_pair *pair = &comparison->pair[comparison->pairs++];
    *pair = (struct comparison_pair){.row = {first, second},
                                     .wall_ns = {first->wall_ns, second->wall_ns},
                                     .failure = FAILURE_KINDS};
    judge_bytes(pair, comparison->sides);
    judge_nodes(pair, comparison->sides->node_tolerance);
    judge_time(pair, job, comparison->sides->time_threshold);
    if (pair->verdict[COMPARISON_BYTES] == COMPARISON_LOSS)
        pair->failure = failure_kind(second);
    for (int figure = 0; figure < COMPARISON_FIGURES; figure++)
        comparison->verdicts[figure][pair->verdict[figure]]++;
    for (int side = 0; side < 2; side++)
        comparison->found[side] += query_worth(pair->row[side]) == RESULT_NUMBER &&
                                   query_worth(pair->row[!side]) != RESULT_NUMBER;
    comparison->nodes_differ += first->nodes != second->nodes;
    comparison->counters_differ +=
        pair->has[COMPARISON_NODES] && strcmp(first->counters, second->counters) != 0;
}

COMPARE_BY(compare_planners, struct comparison_planner, strcmp(a->name, b->name))

/* Adds up the pairs of each planner. */
static enum status add_up_planners(struct comparison *comparison, struct error *error)
{
    SCOPED(names_free) struct names planners = {0};
    for (uint32_t i = 0; i < comparison->pairs; i++) {
        const struct comparison_pair *pair = &comparison->pair[i];
        struct comparison_planner *of;
        TRY(find_planner(comparison, &planners, pair->row[1]->planner, &of, error));
        of->pairs++;
        of->failures += pair->failure < FAILURE_KINDS;
        for (int figure = 0; figure < COMPARISON_FIGURES; figure++) {
            of->verdicts[figure][pair->verdict[figure]]++;
            of->log_ratio[figure] += pair->log_ratio[figure];
            of->with[figure] += pair->has[figure];
        }
    }
    if (comparison->planners)
        qsort(comparison->planner, comparison->planners, sizeof *comparison->planner,
              compare_planners);
    return STATUS_OK;
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

COMPARE_BY(compare_pairs, struct comparison_pair, strcmp(a->row[0]->instance, b->row[0]->instance),
           strcmp(a->row[0]->digest, b->row[0]->digest),
           strcmp(a->row[0]->planner, b->row[0]->planner), compare_settings(a->row[0], b->row[0]))

/* Matches the jobs of both sides, which are sorted in the same way, and counts the instances that
   have the same name on both sides but different contents; the sets are sorted by name. */
static void match_jobs(struct comparison *comparison, const struct jobs jobs[2])
{
    const struct comparison_sides *sides = comparison->sides;
    const struct result_set *first = sides->set[0], *second = sides->set[1];
    uint32_t i = 0, k = 0;
    while (i < jobs[0].count && k < jobs[1].count) {
        const struct job *const job[] = {&jobs[0].job[i], &jobs[1].job[k]};
        int order = compare_jobs(job[0]->row, job[1]->row, !sides->across_planners);
        if (order == 0)
            add_pair(comparison, job);
        comparison->unmatched[0] += order < 0;
        comparison->unmatched[1] += order > 0;
        i += order <= 0;
        k += order >= 0;
    }
    comparison->unmatched[0] += jobs[0].count - i;
    comparison->unmatched[1] += jobs[1].count - k;

    for (i = 0, k = 0; i < first->count; i++) {
        const struct result_row *row = &first->row[i];
        if (i && strcmp(row->instance, first->row[i - 1].instance) == 0)
            continue;
        while (k < second->count && strcmp(second->row[k].instance, row->instance) < 0)
            k++;
        comparison->changed += k < second->count &&
                               strcmp(second->row[k].instance, row->instance) == 0 &&
                               strcmp(second->row[k].digest, row->digest) != 0;
    }
}

/* The ratios over all instances, and how likely the result is by luck. */
static enum status judge_means(struct comparison *comparison, const struct means *means,
                               struct error *error)
{
    for (uint32_t i = 0; i < comparison->instances; i++) {
        comparison->better += comparison->instance[i].log_bytes < -STATISTICS_EQUAL;
        comparison->worse += comparison->instance[i].log_bytes > STATISTICS_EQUAL;
    }
    comparison->sign_p = statistics_sign_test(comparison->better, comparison->worse);
    TRY(statistics_signed_rank_test(means->mean[COMPARISON_BYTES], means->count[COMPARISON_BYTES],
                                    &comparison->rank_p, error));
    for (int figure = 0; figure < COMPARISON_FIGURES; figure++) {
        struct statistics_interval log_ratio = {NAN, NAN, NAN};
        if (means->count[figure])
            log_ratio = statistics_mean(means->mean[figure], means->count[figure], 1);
        comparison->ratio[figure] = (struct statistics_interval){
            exp(log_ratio.value), exp(log_ratio.lower), exp(log_ratio.upper)};
    }
    return STATUS_OK;
}

static void free_means(struct means *means)
{
    for (int figure = 0; figure < COMPARISON_FIGURES; figure++)
        memory_free(means->mean[figure]);
}

static enum status fill(struct comparison *comparison, struct jobs jobs[2], struct error *error)
{
    SCOPED(free_means) struct means means = {0};
    const struct comparison_sides *sides = comparison->sides;
    for (int side = 0; side < 2; side++)
        TRY(list_jobs(sides->set[side], sides->across_planners, &jobs[side], error));
    uint32_t most = jobs[0].count < jobs[1].count ? jobs[0].count : jobs[1].count;
    TRY(memory_create_all(most, error, &comparison->pair, &comparison->instance));
    for (int figure = 0; figure < COMPARISON_FIGURES; figure++)
        TRY(memory_create(&means.mean[figure], most, sizeof *means.mean[figure], error));
    match_jobs(comparison, jobs);
    find_means(comparison, &means);
    TRY(judge_means(comparison, &means, error));
    qsort(comparison->pair, comparison->pairs, sizeof *comparison->pair, compare_pairs);
    return add_up_planners(comparison, error);
}

enum status comparison_create(const struct comparison_sides *sides, struct comparison *comparison,
                              struct error *error)
{
    struct jobs jobs[2] = {{0}, {0}};
    *comparison = (struct comparison){.sides = sides};
    enum status status = fill(comparison, jobs, error);
    free_jobs(&jobs[0]);
    free_jobs(&jobs[1]);
    if (status)
        comparison_free(comparison);
    return status;
}

void comparison_free(struct comparison *comparison)
{
    memory_free_all(comparison->pair, comparison->instance, comparison->planner);
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

bool comparison_planner_changed(const struct comparison *comparison,
                                const struct comparison_planner *planner)
{
    const uint32_t *bytes = planner->verdicts[COMPARISON_BYTES];
    return bytes[COMPARISON_WIN] || bytes[COMPARISON_LOSS] ||
           (comparison->sides->judges_nodes &&
            planner->verdicts[COMPARISON_NODES][COMPARISON_LOSS]);
}
