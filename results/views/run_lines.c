#include "results/views/run_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"

/* A row that has the figure whose means are computed. */
struct entry {
    const struct result_row *row;
    uint32_t run; /* in the order of time */
    double log_value;
};

struct entries {
    struct entry *entry;
    uint32_t count;
};

static bool find_value(const struct result_set *set, uint32_t index, enum run_figure figure,
                       double *value)
{
    const struct result_row *row = &set->row[index];
    *value = 0;
    if (figure == RUN_TIME)
        *value = (double)row->wall_ns / 1e6;
    else if (figure == RUN_NODES)
        *value = *row->stop_reason ? 0 : (double)row->nodes;
    else if (set->bound_bytes[index] && query_worth(row) == RESULT_NUMBER)
        *value = (double)row->peak_bytes / (double)set->bound_bytes[index];
    return *value > 0;
}

static int compare_jobs(const struct result_row *a, const struct result_row *b)
{
    int order = strcmp(a->planner, b->planner);
    order = order ? order : strcmp(a->digest, b->digest);
    order = order ? order : strcmp(a->policy, b->policy);
    order = order ? order : strcmp(a->options, b->options);
    return order ? order : (a->seed > b->seed) - (a->seed < b->seed);
}

/* Sorts by job and run. Where a run has one job with several settings or repetitions, the newest
   row comes first. */
COMPARE_BY(compare_entries, struct entry, compare_jobs(a->row, b->row),
           (a->run > b->run) - (a->run < b->run), strcmp(b->row->started, a->row->started))

static enum status list_entries(const struct result_set *set, const struct names *labels,
                                enum run_figure figure, struct entries *entries,
                                struct error *error)
{
    double value;
    TRY(memory_create(&entries->entry, set->count, sizeof *entries->entry, error));
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t run = names_find(labels, set->row[i].run);
        if (run != NAMES_NONE && find_value(set, i, figure, &value))
            entries->entry[entries->count++] = (struct entry){&set->row[i], run, log(value)};
    }
    qsort(entries->entry, entries->count, sizeof *entries->entry, compare_entries);
    uint32_t kept = 0;
    for (uint32_t first = 0, end; first < entries->count; first = end) {
        struct entry entry = entries->entry[first];
        double sum = 0;
        uint32_t repetitions = 0;
        for (end = first; end < entries->count; end++) {
            const struct entry *other = &entries->entry[end];
            if (other->run != entry.run || compare_jobs(other->row, entry.row) != 0)
                break;
            if (strcmp(other->row->settings, entry.row->settings) == 0) {
                sum += other->log_value;
                repetitions++;
            }
        }
        entry.log_value = sum / repetitions;
        entries->entry[kept++] = entry;
    }
    entries->count = kept;
    return STATUS_OK;
}

/* Scratch that is used for one planner at a time. */
struct tally {
    uint32_t *jobs; /* [runs] */
    bool *is_large; /* [runs] */
    double *sum;    /* [runs] of logarithms over the common jobs */
    uint32_t larges, common;
};

/* Adds a job, to which the entries belong, if all large runs have it. */
static void add_job(const struct entry *entry, uint32_t count, struct tally *tally)
{
    uint32_t larges = 0;
    for (uint32_t i = 0; i < count; i++)
        larges += tally->is_large[entry[i].run];
    if (larges < tally->larges)
        return;
    tally->common++;
    for (uint32_t i = 0; i < count; i++)
        tally->sum[entry[i].run] += entry[i].log_value;
}

static enum status add_planner(const struct entry *entry, uint32_t count, struct tally *tally,
                               struct run_lines *lines, struct error *error)
{
    uint32_t most = 0;
    memset(tally->jobs, 0, lines->runs * sizeof *tally->jobs);
    for (uint32_t i = 0; i < count; i++)
        if (++tally->jobs[entry[i].run] > most)
            most = tally->jobs[entry[i].run];
    tally->larges = 0;
    for (uint32_t i = 0; i < lines->runs; i++) {
        tally->is_large[i] = tally->jobs[i] && 2 * (uint64_t)tally->jobs[i] >= most;
        tally->larges += tally->is_large[i];
        tally->sum[i] = 0;
    }
    tally->common = 0;
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count; end++)
            if (compare_jobs(entry[first].row, entry[end].row) != 0)
                break;
        add_job(&entry[first], end - first, tally);
    }
    if (tally->larges < 2 || !tally->common)
        return STATUS_OK;
    double *mean = &lines->mean[(size_t)lines->planners.count * lines->runs];
    for (uint32_t i = 0; i < lines->runs; i++)
        mean[i] = tally->is_large[i] ? exp(tally->sum[i] / tally->common) : 0;
    lines->jobs[lines->planners.count] = tally->common;
    return names_add(&lines->planners, entry->row->planner, error);
}

static enum status add_planners(const struct entries *entries, struct tally *tally,
                                struct run_lines *lines, struct error *error)
{
    uint32_t planners = 0;
    for (uint32_t i = 0; i < entries->count; i++)
        planners +=
            !i || strcmp(entries->entry[i].row->planner, entries->entry[i - 1].row->planner) != 0;
    TRY(memory_create(&lines->mean, (size_t)planners * lines->runs, sizeof *lines->mean, error));
    TRY(memory_create(&lines->jobs, planners, sizeof *lines->jobs, error));
    TRY(memory_create_all(lines->runs, error, &tally->jobs, &tally->is_large, &tally->sum));
    for (uint32_t first = 0, end; first < entries->count; first = end) {
        const char *planner = entries->entry[first].row->planner;
        for (end = first + 1; end < entries->count; end++)
            if (strcmp(entries->entry[end].row->planner, planner) != 0)
                break;
        TRY(add_planner(&entries->entry[first], end - first, tally, lines, error));
    }
    return STATUS_OK;
}

enum status run_lines_create(const struct result_set *set, const struct run_list *runs,
                             enum run_figure figure, struct run_lines *lines, struct error *error)
{
    struct entries entries = {0};
    struct tally tally = {0};
    struct names labels = {0};
    enum status status;
    TRY_OR_DONE(status, memory_create(&lines->run, runs->count, sizeof *lines->run, error));
    for (uint32_t i = runs->count; i > 0; i--) {
        lines->run[lines->runs++] = runs->run[i - 1].run.label;
        TRY_OR_DONE(status, names_add(&labels, runs->run[i - 1].run.label, error));
    }
    TRY_OR_DONE(status, list_entries(set, &labels, figure, &entries, error));
    status = add_planners(&entries, &tally, lines, error);
done:
    memory_free_all(entries.entry, tally.jobs, tally.is_large, tally.sum);
    names_free(&labels);
    if (status)
        run_lines_free(lines);
    return status;
}

void run_lines_free(struct run_lines *lines)
{
    memory_free(lines->run);
    names_free(&lines->planners);
    memory_free_all(lines->mean, lines->jobs);
    *lines = (struct run_lines){0};
}

double run_lines_range(const struct run_lines *lines, uint32_t planner)
{
    const double *mean = &lines->mean[(size_t)planner * lines->runs];
    double least = INFINITY, most = 0;
    for (uint32_t i = 0; i < lines->runs; i++) {
        if (mean[i] <= 0)
            continue;
        least = fmin(least, mean[i]);
        most = fmax(most, mean[i]);
    }
    return most > 0 ? most / least : 1;
}
