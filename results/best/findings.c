#include "results/best/findings.h"

#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "results/store/options.h"

/* A row and the options of its problem, while the rows are sorted. */
struct entry {
    const struct result_row *row;
    const char *options;
};

static int compare_problems(const struct entry *a, const struct entry *b)
{
    int order = strcmp(a->row->instance, b->row->instance);
    order = order ? order : strcmp(a->row->digest, b->row->digest);
    order = order ? order : strcmp(a->row->policy, b->row->policy);
    return order ? order : strcmp(a->options, b->options);
}

/* Rows of one problem stay in the order of the set. */
COMPARE_BY(compare_entries, struct entry, compare_problems(a, b),
           (a->row > b->row) - (a->row < b->row))

/* The least peak that the log of a row shows: that of its plan, or one byte more than a capacity
   that nothing fits; 0 for none. */
static uint64_t find_proved(const struct result_row *row)
{
    const char *value;
    size_t length;
    if (!best_rank_proof(row->proof))
        return 0;
    if (strcmp(row->status, RESULT_OPTIMAL) == 0)
        return row->peak_bytes;
    return strcmp(row->status, RESULT_INFEASIBLE) == 0 &&
                   options_find(row->options, OPTIONS_CAPACITY, &value, &length)
               ? strtoull(value, NULL, 10) + 1
               : 0;
}

static void add_found(struct best_findings *findings, const struct entry *entry, uint32_t count,
                      const struct best_list *list)
{
    const struct result_row *first = entry->row;
    struct best_found found = {
        .options = entry->options,
        .known = best_list_find(list, first->digest, first->policy, entry->options),
    };
    for (uint32_t i = 0; i < count; i++) {
        /* Takes the peak and the bound of a row if they are the best so far; of equal rows the
           first one counts. */
        const struct result_row *row = entry[i].row;
        bool built_in = !*row->origin || strcmp(row->origin, RESULT_BUILT_IN) == 0;
        if (query_worth(row) == RESULT_NUMBER && !row->split_buffers && row->peak_bytes &&
            (!found.peak || row->peak_bytes < found.peak->peak_bytes))
            found.peak = row;
        if (built_in && row->lower_bound_bytes &&
            (!found.bound || row->lower_bound_bytes > found.bound->lower_bound_bytes))
            found.bound = row;
        uint64_t proved_bytes = built_in ? find_proved(row) : 0;
        if (proved_bytes > found.proved_bytes ||
            (proved_bytes && proved_bytes == found.proved_bytes &&
             best_rank_proof(row->proof) > best_rank_proof(found.proof->proof))) {
            found.proof = row;
            found.proved_bytes = proved_bytes;
        }
    }
    if (found.peak || found.bound)
        findings->found[findings->count++] = found;
}

enum status best_findings_create(const struct result_set *set, const struct best_list *list,
                                 struct best_findings *findings, struct error *error)
{
    SCOPED(memory_release) struct entry *entries = NULL;
    /* The texts of the options move while they grow, so the entries get their pointers only
       when all texts are there. */
    struct text *options = &findings->options;
    TRY(memory_create(&entries, set->count, sizeof *entries, error));
    for (uint32_t i = 0; i < set->count; i++) {
        options_add_of_problem(options, set->row[i].options);
        text_append_bytes(options, "", 1);
    }
    TRY(text_check(options, error));
    const char *at = options->bytes;
    for (uint32_t i = 0; i < set->count; i++) {
        entries[i] = (struct entry){&set->row[i], at};
        at += strlen(at) + 1;
    }
    if (set->count)
        qsort(entries, set->count, sizeof *entries, compare_entries);
    TRY(memory_create(&findings->found, set->count, sizeof *findings->found, error));
    for (uint32_t first = 0, end; first < set->count; first = end) {
        for (end = first + 1; end < set->count; end++)
            if (compare_problems(&entries[first], &entries[end]) != 0)
                break;
        add_found(findings, &entries[first], end - first, list);
    }
    return STATUS_OK;
}

void best_findings_free(struct best_findings *findings)
{
    memory_free(findings->found);
    text_free(&findings->options);
    *findings = (struct best_findings){0};
}

const struct result_row *best_found_row(const struct best_found *found)
{
    return found->peak ? found->peak : found->bound;
}

bool best_found_improves_peak(const struct best_found *found)
{
    return found->known && found->peak &&
           (!found->known->peak_bytes || found->peak->peak_bytes < found->known->peak_bytes);
}

bool best_found_improves_bound(const struct best_found *found)
{
    return found->known && found->bound &&
           found->bound->lower_bound_bytes > found->known->lower_bound_bytes;
}

static uint64_t lowest_peak(const struct best_found *found)
{
    uint64_t known =
        found->known && found->known->peak_bytes ? found->known->peak_bytes : UINT64_MAX;
    return found->peak && found->peak->peak_bytes < known ? found->peak->peak_bytes : known;
}

static uint64_t highest_bound(const struct best_found *found)
{
    uint64_t known = found->known ? found->known->lower_bound_bytes : 0;
    return found->bound && found->bound->lower_bound_bytes > known ? found->bound->lower_bound_bytes
                                                                   : known;
}

bool best_found_contradicts(const struct best_found *found)
{
    return found->known && lowest_peak(found) < highest_bound(found);
}

static void append_peak(const struct best_found *found, struct text *lines)
{
    if (found->known->peak_bytes)
        text_append(lines, "peak %llu bytes by %s, known was %llu by %s",
                    (unsigned long long)found->peak->peak_bytes, found->peak->planner,
                    (unsigned long long)found->known->peak_bytes, found->known->planner);
    else
        text_append(lines, "peak %llu bytes by %s, none was known",
                    (unsigned long long)found->peak->peak_bytes, found->peak->planner);
}

static void append_bound(const struct best_found *found, struct text *lines)
{
    text_append(lines, "bound %llu bytes by %s, known was %llu",
                (unsigned long long)found->bound->lower_bound_bytes, found->bound->planner,
                (unsigned long long)found->known->lower_bound_bytes);
}

static void append_contradiction(const struct best_found *found, struct text *lines)
{
    uint64_t peak = lowest_peak(found), bound = highest_bound(found);
    bool peak_is_new = found->peak && found->peak->peak_bytes == peak;
    bool bound_is_new = found->bound && found->bound->lower_bound_bytes == bound;
    text_append(
        lines, "a valid plan of %llu bytes by %s%s, but no plan is below %llu bytes by %s%s",
        (unsigned long long)peak, peak_is_new ? found->peak->planner : found->known->planner,
        peak_is_new ? "" : " is known", (unsigned long long)bound,
        bound_is_new ? found->bound->planner : found->known->prover,
        bound_is_new ? "" : ", as is known");
}

static const struct kind {
    const char *title;
    bool (*is)(const struct best_found *found);
    void (*append)(const struct best_found *found, struct text *lines);
    bool is_contradiction;
} kinds[] = {
    {"better than the best known", best_found_improves_peak, append_peak, false},
    {"better than the best known", best_found_improves_bound, append_bound, false},
    {"contradicts the best known", best_found_contradicts, append_contradiction, true},
};

enum status best_findings_describe(const struct best_findings *findings, uint32_t most,
                                   uint32_t *contradictions, struct text *lines,
                                   struct error *error)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *kind = &kinds[i];
        uint32_t count = 0;
        for (uint32_t k = 0; k < findings->count; k++) {
            const struct best_found *found = &findings->found[k];
            if (!kind->is(found) || best_found_contradicts(found) != kind->is_contradiction)
                continue;
            if (count++ >= most)
                continue;
            text_append(lines, "%s: %s, policy %s%s%s: ", kind->title,
                        best_found_row(found)->instance, best_found_row(found)->policy,
                        *found->options ? ", " : "", found->options);
            kind->append(found, lines);
            text_append(lines, "\n");
        }
        if (count > most)
            text_append(lines, "%s: and %u more\n", kind->title, count - most);
        if (kind->is_contradiction)
            *contradictions = count;
    }
    return text_check(lines, error);
}
