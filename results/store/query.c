#include "results/store/query.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "results/store/reading.h"
#include "results/store/sqlite.h"

static int compare_contents(const struct candidate *a, const struct candidate *b)
{
    int order = compare_texts(a->row.instance, b->row.instance);
    return order ? order : compare_texts(a->row.digest, b->row.digest);
}

static int compare_ages(const struct candidate *a, const struct candidate *b)
{
    int order = compare_texts(b->row.started, a->row.started);
    return order ? order : compare_numbers((uint64_t)b->id, (uint64_t)a->id);
}

static int compare_questions(const struct candidate *a, const struct candidate *b)
{
    int order = compare_contents(a, b);
    order = order ? order : compare_texts(a->row.policy, b->row.policy);
    order = order ? order : compare_texts(a->row.planner, b->row.planner);
    return order ? order : compare_texts(a->row.options, b->row.options);
}

/* Sorts candidates by question, and those of one question from the newest on. */
COMPARE_BY(compare_candidates, struct candidate, compare_questions(a, b), compare_ages(a, b))

/* The rows of one content of an instance, and the newest of them. */
struct content {
    uint32_t first, end;
    const struct candidate *newest;
};

static struct content find_content(const struct candidate *candidate, uint32_t count,
                                   uint32_t first)
{
    struct content content = {first, first, &candidate[first]};
    for (; content.end < count; content.end++) {
        const struct candidate *row = &candidate[content.end];
        if (compare_contents(&candidate[first], row) != 0)
            break;
        if (compare_ages(row, content.newest) < 0)
            content.newest = row;
    }
    return content;
}

/* Whether a newer content of the same file has replaced this one. The contents of one name are
   neighbours. Files of one name in two folders are not the same; rows of old databases do not have
   the path. */
static bool is_replaced(const struct candidate *candidate, uint32_t count, uint32_t first,
                        const struct content *content)
{
    const struct result_row *row = &content->newest->row;
    for (uint32_t at = first;
         at < count && compare_texts(candidate[at].row.instance, row->instance) == 0;) {
        struct content other = find_content(candidate, count, at);
        const char *path = other.newest->row.path;
        bool is_one_file = !*path || !*row->path || strcmp(path, row->path) == 0;
        if (other.first != content->first && is_one_file &&
            compare_ages(other.newest, content->newest) < 0)
            return true;
        at = other.end;
    }
    return false;
}

/* Keeps only rows of the newest content of each file, and gives them the newest path. The
   candidates are sorted; keep[count]: which of them are kept, found before any row is moved. */
static void keep_newest_contents(struct candidate *candidate, uint32_t *count, bool *keep)
{
    uint32_t kept = 0, name_first = 0;
    struct content content;
    for (uint32_t first = 0; first < *count; first = content.end) {
        content = find_content(candidate, *count, first);
        if (strcmp(candidate[name_first].row.instance, candidate[first].row.instance) != 0)
            name_first = first;
        bool stays = !is_replaced(candidate, *count, name_first, &content);
        memset(&keep[first], stays, content.end - first);
    }
    for (uint32_t first = 0; first < *count; first = content.end) {
        content = find_content(candidate, *count, first);
        const char *path = content.newest->row.path;
        for (uint32_t i = first; i < content.end; i++)
            if (keep[i]) {
                candidate[kept] = candidate[i];
                candidate[kept++].row.path = path;
            }
    }
    *count = kept;
}

/* Sorts in the same way, but files of one name in the order of their paths. */
static int compare_by_path(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    int order = compare_texts(a->row.instance, b->row.instance);
    order = order ? order : compare_texts(a->row.path, b->row.path);
    return order ? order : compare_candidates(left, right);
}

/* Sorts the candidates of each question so that those of its newest run come first, by seed and
   repetition; only these are kept. */
COMPARE_BY(compare_draws, struct candidate, compare_numbers(a->row.seed, b->row.seed),
           compare_numbers(a->row.repetition, b->row.repetition))

static void keep_newest_runs(struct candidate *candidate, uint32_t *count)
{
    uint32_t kept = 0;
    for (uint32_t first = 0, end; first < *count; first = end) {
        const struct candidate newest = candidate[first];
        uint32_t start = kept;
        for (end = first; end < *count && compare_questions(&newest, &candidate[end]) == 0; end++)
            if (compare_texts(newest.row.run, candidate[end].row.run) == 0 &&
                compare_texts(newest.row.settings, candidate[end].row.settings) == 0)
                candidate[kept++] = candidate[end];
        qsort(&candidate[start], kept - start, sizeof *candidate, compare_draws);
    }
    *count = kept;
}

/* Sorts rows with a valid peak before all others, by bytes; the others keep their order. */
static int compare_peaks(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    bool a_counts = query_worth(&a->row) == RESULT_NUMBER;
    bool b_counts = query_worth(&b->row) == RESULT_NUMBER;
    if (a_counts != b_counts)
        return a_counts ? -1 : 1;
    int order = a_counts ? compare_numbers(a->row.peak_bytes, b->row.peak_bytes) : 0;
    return order ? order : compare_draws(a, b);
}

/* Adds one row for each question, which stands for several that differ only in seed and repetition:
   that with the lower median of the valid peaks, and the median of the times; with `each` all of
   them. time: [count] of scratch. */
static void add_medians(struct result_set *set, struct candidate *candidate, uint32_t count,
                        bool each, uint64_t *time)
{
    for (uint32_t first = 0, end; first < count; first = end) {
        struct candidate *row = &candidate[first];
        for (end = first + 1; end < count && !each; end++)
            if (compare_questions(row, &candidate[end]) != 0)
                break;
        uint32_t rows = end - first, valid = 0, place = set->count++;
        for (uint32_t i = 0; i < rows; i++)
            time[i] = row[i].row.wall_ns;
        qsort(time, rows, sizeof *time, compare_number_items);
        qsort(row, rows, sizeof *row, compare_peaks);
        while (valid < rows && query_worth(&row[valid].row) == RESULT_NUMBER)
            valid++;
        const struct candidate *chosen = &row[valid ? (valid - 1) / 2 : 0];
        set->row[place] = chosen->row;
        set->row[place].wall_ns = time[(rows - 1) / 2];
        set->id[place] = chosen->id;
        set->bound_bytes[place] = chosen->bound_bytes;
        set->spread[place] = (struct result_spread){.rows = rows, .valid = valid};
        if (valid) {
            set->spread[place].best_bytes = row[0].row.peak_bytes;
            set->spread[place].worst_bytes = row[valid - 1].row.peak_bytes;
        }
    }
}

/* Plug-ins and programs may claim bounds and optima that no built-in planner has proved. Their rows
   count only as feasible, unless the peak equals a bound that is proved. */
static void quarantine_claims(struct result_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        struct result_row *row = &set->row[i];
        if (!*row->origin || strcmp(row->origin, RESULT_BUILT_IN) == 0)
            continue;
        bool claims_optimum =
            strcmp(row->status, RESULT_OPTIMAL) == 0 && row->peak_bytes > set->bound_bytes[i];
        set->claims += claims_optimum || row->lower_bound_bytes > set->bound_bytes[i];
        if (claims_optimum)
            row->status = RESULT_FEASIBLE;
    }
}

COMPARE_BY(compare_numbers_of_rows, struct candidate,
           compare_numbers((uint64_t)a->id, (uint64_t)b->id))

/* Sorts the candidates, unless they are in order already, as they often are. */
static void sort(struct candidate *candidate, uint32_t count,
                 int compare(const void *left, const void *right))
{
    uint32_t sorted = 1;
    while (sorted < count && compare(&candidate[sorted - 1], &candidate[sorted]) <= 0)
        sorted++;
    if (sorted < count)
        qsort(candidate, count, sizeof *candidate, compare);
}

/* The last `parts` names of a path. */
static const char *find_end(const char *path, uint32_t parts)
{
    const char *at = path + strlen(path);
    while (at > path) {
        if (at[-1] == '/' && --parts == 0)
            break;
        at--;
    }
    return at;
}

/* The new name of a row, as a position in a text that still grows and therefore moves. */
struct place {
    struct result_row *row;
    size_t at;
};

/* The least number of names from the ends of the paths that tells the first rows of each content
   apart. */
static uint32_t count_parts(const struct result_row *path, uint32_t paths)
{
    enum { MOST_PARTS = 64 };
    for (uint32_t parts = 1; parts < MOST_PARTS; parts++) {
        bool distinct = true;
        for (uint32_t i = 0; i < paths && distinct; i++)
            for (uint32_t k = i + 1; k < paths && distinct; k++)
                distinct = strcmp(find_end(path[i].path, parts), find_end(path[k].path, parts));
        if (distinct)
            return parts;
    }
    return MOST_PARTS;
}

/* Gives rows whose instances have the same name but different contents the shortest ends of their
   paths that tell the contents apart, as texts in *names. The rows are sorted by instance, those of
   one content together. */
static enum status distinguish_names(struct result_row *row, uint32_t rows, struct text *names,
                                     struct error *error)
{
    SCOPED(memory_release) struct result_row *path = NULL;
    SCOPED(memory_release) struct place *place = NULL;
    uint32_t places = 0;
    TRY(memory_create_all(rows, error, &path, &place));
    for (uint32_t first = 0, end; first < rows; first = end) {
        uint32_t paths = 0; /* the first row of each content */
        for (end = first; end < rows; end++) {
            if (compare_texts(row[first].instance, row[end].instance) != 0)
                break;
            if (end == first || compare_texts(row[end].digest, row[end - 1].digest) != 0)
                path[paths++] = row[end];
        }
        if (paths < 2)
            continue;
        uint32_t parts = count_parts(path, paths);
        size_t at = 0;
        for (uint32_t i = first; i < end; i++) {
            if (i == first || strcmp(row[i].digest, row[i - 1].digest) != 0) {
                const char *name = *row[i].path ? find_end(row[i].path, parts) : row[i].instance;
                at = names->length;
                text_append_bytes(names, name, strlen(name) + 1);
            }
            place[places++] = (struct place){&row[i], at};
        }
    }
    TRY(text_check(names, error));
    for (uint32_t i = 0; i < places; i++)
        place[i].row->instance = names->bytes + place[i].at;
    return STATUS_OK;
}

static enum status fill_set(struct result_set *set, const struct result_filter *filter,
                            struct candidate *candidate, uint32_t count, struct error *error)
{
    SCOPED(memory_release) uint64_t *time = NULL;
    SCOPED(memory_release) bool *keep = NULL;
    TRY(memory_create(&keep, count, sizeof *keep, error));
    if (filter->stored) {
        sort(candidate, count, compare_numbers_of_rows);
    } else {
        sort(candidate, count, compare_candidates);
        keep_newest_contents(candidate, &count, keep);
        sort(candidate, count, compare_by_path);
        keep_newest_runs(candidate, &count);
    }
    TRY(memory_create_all(count, error, &set->row, &set->id, &set->bound_bytes, &set->spread,
                          &time));
    add_medians(set, candidate, count, filter->each || filter->stored, time);
    if (filter->stored)
        return STATUS_OK;
    quarantine_claims(set);
    return distinguish_names(set->row, set->count, &set->names, error);
}

static enum status find_newest(struct store *store, const struct result_filter *filter,
                               struct result_set *set, struct error *error)
{
    SCOPED(reading_free) struct reading reading = {0};
    *set = (struct result_set){0};
    enum status status = reading_fill(store, filter, &reading, error);
    if (!status && reading.count)
        status = fill_set(set, filter, reading.candidate, reading.count, error);
    set->text = reading.text;
    reading.text = (struct text){0};
    if (status)
        query_free(set);
    return status;
}

enum status query_newest(struct store *store, const struct result_filter *filter,
                         struct result_set *set, struct error *error)
{
    struct result_set **answer = &store->answers[filter->each];
    *set = (struct result_set){0};
    if (!store->kept || filter->stored || filter->with_rectangles || filter->instance ||
        filter->policy || filter->planner || !choice_takes_all(filter->choice))
        return find_newest(store, filter, set, error);
    if (!*answer) {
        SCOPED(memory_release) struct result_set *found = NULL;
        TRY(memory_create(&found, 1, sizeof *found, error));
        TRY(find_newest(store, filter, found, error));
        found->is_lent = true;
        *answer = found;
        found = NULL;
    }
    *set = **answer;
    return STATUS_OK;
}

void query_forget(struct result_set *set)
{
    if (set) {
        set->is_lent = false;
        query_free(set);
        memory_free(set);
    }
}

void query_free(struct result_set *set)
{
    if (set->is_lent) {
        *set = (struct result_set){0};
        return;
    }
    text_free(&set->text);
    text_free(&set->names);
    names_free(&set->graphs);
    memory_free_all(set->row, set->id, set->bound_bytes, set->spread);
    *set = (struct result_set){0};
}

bool query_prefers(const struct result_row *row, const struct result_row *other)
{
    bool plain = !*row->options, other_plain = !*other->options;
    if (plain != other_plain)
        return plain;
    return strcmp(row->started, other->started) > 0;
}

uint32_t query_find(const struct result_set *set, const char *instance, const char *policy,
                    const char *planner)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        if (strcmp(row->instance, instance) != 0 || (policy && strcmp(row->policy, policy) != 0) ||
            (planner && strcmp(row->planner, planner) != 0))
            continue;
        if (best == UINT32_MAX || query_prefers(row, &set->row[best]))
            best = i;
    }
    return best;
}

enum result_worth query_worth(const struct result_row *row)
{
    bool planned =
        strcmp(row->status, RESULT_OPTIMAL) == 0 || strcmp(row->status, RESULT_FEASIBLE) == 0;
    if (!*row->verdict && !planned)
        return RESULT_NO_PLAN;
    bool intact = !*row->execution || strcmp(row->execution, RESULT_INTACT) == 0 ||
                  strcmp(row->execution, RESULT_SAMPLED) == 0;
    return strcmp(row->verdict, RESULT_VALID) == 0 && intact ? RESULT_NUMBER : RESULT_INVALID;
}

double query_gap_percent(uint64_t peak_bytes, uint64_t bound_bytes)
{
    assert(bound_bytes > 0);
    return 100.0 * ((double)peak_bytes - (double)bound_bytes) / (double)bound_bytes;
}
