#include "cli/commands/plan_answer.h"

#include <stdio.h>
#include <string.h>

#include "core/utf8.h"
#include "planning/execute/execute.h"
#include "planning/verify/describe.h"
#include "planning/verify/paths/paths.h"
#include "planning/verify/problem/plan.h"

/* Checks a placement along every path. It is wrong, too, where the peak in the file is not the end
   of the highest tensor or block. */
static enum status verify_graph(const struct graph *graph, const struct plan_file *file,
                                uint64_t alignment_bytes, struct plan_answer *answer,
                                struct error *error)
{
    const struct placement *placement = file->placement;
    struct verdict verdict;
    uint64_t peak_bytes;
    TRY(placement_find_peak(graph, placement, &peak_bytes, error));
    TRY(verify_paths(graph, placement, &verdict, error));
    const struct verdict aligned = verify_alignment(graph, placement, alignment_bytes);
    if (aligned.fault && (verdict.fault == VERIFY_VALID || verdict.fault == VERIFY_SAMPLED))
        verdict = aligned;
    bool right = verdict.fault == VERIFY_VALID || verdict.fault == VERIFY_SAMPLED;
    answer->good = right && peak_bytes == placement->measures.peak_bytes;
    answer->sampled = verdict.fault == VERIFY_SAMPLED;
    answer->peak_bytes = placement->measures.peak_bytes;
    verify_paths_describe(graph, placement, &verdict, answer->text, sizeof answer->text);
    if (right && !answer->good)
        snprintf(answer->text, sizeof answer->text,
                 "the plan says its peak is %llu, expected %llu, where the highest tensor ends",
                 (unsigned long long)placement->measures.peak_bytes,
                 (unsigned long long)peak_bytes);
    if (answer->good && file->launched)
        snprintf(answer->text + strlen(answer->text), sizeof answer->text - strlen(answer->text),
                 " with the waits that policy %s adds", file->policy->name);
    return STATUS_OK;
}

/* The graph that the plan has to be right for. */
static const struct graph *find_graph(const struct instance *instance, const struct plan_file *file)
{
    return file->launched ? file->launched : instance->graph;
}

/* A text that was cut may end inside a character, which JSON does not allow; the rest of that
   character is dropped. */
static void drop_cut_character(char *text)
{
    text[utf8_valid_bytes(text, strlen(text))] = '\0';
}

enum status plan_answer_verify(const struct arguments *arguments, const struct instance *instance,
                               const struct plan_file *file, struct plan_answer *answer,
                               struct error *error)
{
    if (instance->problem) {
        struct verdict verdict;
        TRY(verify_plan(instance->problem, file->plan, &verdict, error));
        answer->good = verdict.fault == VERIFY_VALID;
        answer->peak_bytes = file->plan->measures.peak_bytes;
        verify_describe(instance->problem, file->plan, &verdict, answer->text, sizeof answer->text);
    } else {
        TRY(verify_graph(find_graph(instance, file), file, arguments->alignment_bytes, answer,
                         error));
    }
    drop_cut_character(answer->text);
    return STATUS_OK;
}

enum status plan_answer_execute(const struct arguments *arguments, const struct instance *instance,
                                const struct plan_file *file, struct plan_answer *answer,
                                struct error *error)
{
    if (instance->problem)
        return error_set(error, STATUS_USAGE, "'%s' is a problem, expected a graph to execute",
                         instance->name);
    struct execute_options options = EXECUTE_DEFAULTS;
    struct execution execution;
    options.seed = arguments->seed;
    const struct graph *graph = find_graph(instance, file);
    TRY(execute_placement(graph, file->placement, &options, &execution, error));
    answer->good = execution.intact;
    answer->sampled = !execution.all_paths;
    answer->paths = execution.paths_run;
    answer->coverage = execution.coverage;
    TRY(placement_find_peak(graph, file->placement, &answer->peak_bytes, error));
    TRY(execute_describe(&(struct executed){graph, file->placement, &execution}, answer->text,
                         sizeof answer->text, error));
    drop_cut_character(answer->text);
    return STATUS_OK;
}
