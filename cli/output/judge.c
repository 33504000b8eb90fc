#include "cli/output/judge.h"

#include <stdio.h>

#include "results/best/findings.h"
#include "results/store/contradictions.h"

enum status judge_store(struct store *store, struct error *error)
{
    uint64_t count;
    struct text lines = {0};
    enum status status = contradictions_find(store, &count, &lines, error);
    if (!status && count) {
        fputs(lines.bytes, stderr);
        if (count > CONTRADICTIONS_DESCRIBED)
            fprintf(stderr, "and %llu more\n",
                    (unsigned long long)count - CONTRADICTIONS_DESCRIBED);
        status = error_set(error, STATUS_NO, "%llu results contradict each other",
                           (unsigned long long)count);
    }
    text_free(&lines);
    return status;
}

enum status judge_best(struct store *store, const char *run, const struct best_list *list,
                       struct error *error)
{
    const struct result_filter filter = {.choice = &(struct result_choice){.run = run},
                                         .each = true};
    SCOPED(query_free) struct result_set set = {0};
    SCOPED(best_findings_free) struct best_findings findings = {0};
    TRY(query_newest(store, &filter, &set, error));
    TRY(best_findings_create(&set, list, &findings, error));
    enum { MOST_OF_A_KIND = 20 };
    uint32_t contradictions = 0;
    struct text lines = {0};
    enum status status =
        best_findings_describe(&findings, MOST_OF_A_KIND, &contradictions, &lines, error);
    if (!status && lines.length)
        fputs(lines.bytes, stderr);
    text_free(&lines);
    if (!status && contradictions)
        status = error_set(error, STATUS_NO, "%u results contradict the best known values",
                           contradictions);
    return status;
}
