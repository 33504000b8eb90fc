#include "cli/output/judge.h"

#include <stdio.h>

#include "results/store/contradictions.h"

static void print_contradictions(uint64_t count, const struct text *lines)
{
    fputs(lines->bytes, stderr);
    if (count > CONTRADICTIONS_DESCRIBED)
        fprintf(stderr, "and %llu more\n", (unsigned long long)count - CONTRADICTIONS_DESCRIBED);
}

enum status judge_store(struct store *store, struct error *error)
{
    uint64_t count;
    struct text lines = {0};
    enum status status = contradictions_find(store, &count, &lines, error);
    if (!status && count) {
        print_contradictions(count, &lines);
        status = error_set(error, STATUS_NO, "%llu results contradict each other",
                           (unsigned long long)count);
    }
    text_free(&lines);
    return status;
}
