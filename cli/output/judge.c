#include "cli/output/judge.h"

#include <stdio.h>

#include "core/plural.h"
#include "results/best/findings.h"
#include "results/store/contradictions.h"

enum status judge_contradictions(uint64_t count, const struct text *lines, struct error *error)
{
    if (!count)
        return STATUS_OK;
    fputs(lines->bytes, stderr);
    if (count > CONTRADICTIONS_DESCRIBED)
        fprintf(stderr, "and %llu more\n", (unsigned long long)count - CONTRADICTIONS_DESCRIBED);
    return error_set(error, STATUS_NO, "found %llu contradiction%s between results",
                     (unsigned long long)count, plural_ending(count));
}

enum status judge_store(struct store *store, struct error *error)
{
    uint64_t count;
    SCOPED(text_free) struct text lines = {0};
    TRY(contradictions_find(store, &count, &lines, error));
    return judge_contradictions(count, &lines, error);
}

enum status judge_best(const struct result_set *set, const struct best_list *list,
                       struct error *error)
{
    enum { MOST_OF_A_KIND = 20 };
    SCOPED(best_findings_free) struct best_findings findings = {0};
    SCOPED(text_free) struct text lines = {0};
    uint32_t contradictions = 0;
    TRY(best_findings_create(set, list, &findings, error));
    TRY(best_findings_describe(&findings, MOST_OF_A_KIND, &contradictions, &lines, error));
    if (lines.length)
        fputs(lines.bytes, stderr);
    if (!contradictions)
        return STATUS_OK;
    return error_set(error, STATUS_NO, "found %u contradiction%s of the best known values",
                     contradictions, plural_ending(contradictions));
}
