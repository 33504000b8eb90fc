/* The table failures: which jobs have no plan that counts, and why. Rows of one kind, of one
   planner and with the same reason but for numbers, names and paths stand in one line with an
   example. */

#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "results/store/failure.h"
#include "results/views/recipe.h"

/* A row that failed. */
struct failure {
    const struct result_row *row;
    const char *pattern; /* the reason without its particulars, in `patterns` */
    size_t place;        /* position of the pattern while `patterns` still grows and moves */
    unsigned kind;
};

struct failures {
    struct failure *failure; /* [count] */
    uint32_t count;
    struct text patterns; /* the patterns of all reasons, each followed by a zero */
};

/* Failures of one kind and one planner with the same pattern. */
struct group {
    const struct failure *first;
    uint32_t rows;
};

/* Appends a reason as a pattern: with N for each number, nothing between quotes, and without the
   path that was executed, whose names are not quoted. */
static void append_pattern(struct text *patterns, const char *reason)
{
    const char *path = strstr(reason, " on path ");
    const char *end = path ? path : reason + strlen(reason);
    while (reason < end) {
        size_t digits = strspn(reason, "0123456789");
        const char *quoted = *reason == '\'' ? strchr(reason + 1, '\'') : NULL;
        if (digits)
            text_append_bytes(patterns, "N", 1);
        else
            text_append_bytes(patterns, quoted ? "''" : reason, quoted ? 2 : 1);
        reason = digits ? reason + digits : quoted ? quoted + 1 : reason + 1;
    }
    text_append_bytes(patterns, "", 1);
}

static enum status find_failures(const struct result_set *set, struct failures *failures,
                                 struct error *error)
{
    TRY(memory_create(&failures->failure, set->count, sizeof *failures->failure, error));
    for (uint32_t i = 0; i < set->count; i++) {
        unsigned kind = failure_kind(&set->row[i]);
        if (kind == FAILURE_KINDS)
            continue;
        failures->failure[failures->count++] =
            (struct failure){.row = &set->row[i], .place = failures->patterns.length, .kind = kind};
        append_pattern(&failures->patterns, failure_reason(&set->row[i]));
    }
    TRY(text_check(&failures->patterns, error));
    for (uint32_t i = 0; i < failures->count; i++)
        failures->failure[i].pattern = failures->patterns.bytes + failures->failure[i].place;
    return STATUS_OK;
}

COMPARE_BY(compare_failures, struct failure, compare_numbers(a->kind, b->kind),
           strcmp(a->row->planner, b->row->planner), strcmp(a->pattern, b->pattern),
           (a->row > b->row) - (a->row < b->row))

COMPARE_BY(compare_groups, struct group, compare_numbers(a->first->kind, b->first->kind),
           compare_numbers(b->rows, a->rows), (a->first > b->first) - (a->first < b->first))

static void clear_failures(struct failures *failures)
{
    memory_free(failures->failure);
    text_free(&failures->patterns);
}

static enum status fill(struct table_making *making)
{
    const struct result_set *set = &making->contest.set;
    SCOPED(clear_failures) struct failures failures = {0};
    SCOPED(memory_release) struct group *group = NULL;
    making->picker.used = set->count > 0;
    TRY(find_failures(set, &failures, making->error));
    TRY(memory_create(&group, failures.count, sizeof *group, making->error));
    qsort(failures.failure, failures.count, sizeof *failures.failure, compare_failures);
    uint32_t groups = 0;
    for (uint32_t i = 0; i < failures.count; i++) {
        const struct failure *failure = &failures.failure[i];
        if (!i || failure->kind != failure[-1].kind ||
            strcmp(failure->row->planner, failure[-1].row->planner) != 0 ||
            strcmp(failure->pattern, failure[-1].pattern) != 0)
            group[groups++] = (struct group){failure, 0};
        group[groups - 1].rows++;
    }
    qsort(group, groups, sizeof *group, compare_groups);
    for (uint32_t i = 0; i < groups; i++) {
        const struct result_row *row = group[i].first->row;
        table_add(making->table, cell_text(failure_name(group[i].first->kind)),
                  cell_text(row->planner), cell_number(group[i].rows),
                  cell_any_text(failure_reason(row)), cell_instance(row->instance),
                  cell_text(row->policy), cell_number(row->seed));
    }
    table_add_note(making->table,
                   "%u of %u jobs, each seed and repetition counted. Reasons are alike where "
                   "they differ in numbers, names and paths only.",
                   failures.count, set->count);
    return STATUS_OK;
}

const struct table_recipe table_failures = {
    .name = "failures",
    .title = "which jobs have no plan that counts, and why, gravest first",
    .caption = "Jobs without a plan that counts, and why",
    .columns = "failure | planner | jobs: | reason, in the first of them | instance | policy | "
               "seed:",
    .filter = {.each = true},
    .wanted = "the results of any bench run",
    .fill = fill,
};
