#include "cli/output/explanation.h"

#include <stdio.h>
#include <string.h>

#include "cli/output/print.h"
#include "harness/job/fault.h"

/* Some buffers of a problem, and the place to which their names are written. */
struct named {
    const struct problem *problem;
    struct json_tree *facts; /* gets the names, in the array that is open in it; or NULL */
    struct text *line;       /* gets the names at its end; where both are NULL they are printed */
    uint32_t count;
};

enum { MOST_ON_LINE = 8 };

static void add_on_line(struct named *named, const char *name, uint64_t bytes)
{
    if (named->count < MOST_ON_LINE)
        text_append(named->line, "%s%s (%llu)", named->count ? ", " : "", name,
                    (unsigned long long)bytes);
}

static void add_buffer(struct json_tree *facts, const char *name, uint64_t bytes, uint32_t lower,
                       uint32_t upper)
{
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, "name", name);
    json_build_count(facts, "bytes", bytes);
    if (lower < upper) {
        json_build_count(facts, "lower", lower);
        json_build_count(facts, "upper", upper);
    }
    json_build_close(facts);
}

static void name_buffer(struct named *named, uint32_t buffer, uint64_t bytes)
{
    const char *name = names_get(&named->problem->names, buffer);
    uint32_t lower, upper;
    problem_time_steps(named->problem, buffer, &lower, &upper);
    if (named->line)
        add_on_line(named, name, bytes);
    else if (named->facts)
        add_buffer(named->facts, name, bytes, lower, upper);
    else if (lower < upper)
        print_lines("  %-32s %15llu bytes  [%u, %u)\n", name, (unsigned long long)bytes, lower,
                    upper);
    else
        print_lines("  %-32s %15llu bytes\n", name, (unsigned long long)bytes);
    named->count++;
}

static void name_section(struct named *named, const struct explanation *explanation)
{
    for (uint32_t b = 0; b < named->problem->buffers; b++) {
        uint64_t bytes = explanation_live_bytes(named->problem, b, explanation->load_step);
        if (bytes)
            name_buffer(named, b, bytes);
    }
}

/* Says to which region a level belongs, under a policy that plans level by level. */
static void append_region(const struct explanation *explanation, const struct job *job,
                          struct text *text)
{
    const struct graph *graph = job->instance->graph;
    if (explanation->region == GRAPH_NONE)
        return;
    const struct graph_region *region = &graph->region[explanation->region];
    if (region->owner == GRAPH_NONE)
        text_append(text, " of the outermost level");
    else
        text_append(text, " of region '%s' of '%s'", graph_label(graph, region->name),
                    graph_label(graph, graph->op[region->owner].name));
}

/* Names the section. A conflict step is no position in time: the buffers that are live there
   conflict on some path. */
static void append_section(const struct explanation *explanation, const struct job *job,
                           struct text *text)
{
    const struct problem *problem = explanation->problem;
    if (!problem_is_by_clocks(problem) && explanation->load_step < problem->line_end)
        text_append(text, "the section at step %u", explanation->load_step);
    else
        text_append(text, "a set of buffers that all conflict with each other");
    append_region(explanation, job, text);
    text_append(text, "%s needs %llu bytes, %llu over the capacity",
                explanation->blocks_are_least ? "" : ", with the smallest blocks found,",
                (unsigned long long)explanation->load_bytes,
                (unsigned long long)(explanation->load_bytes - job->capacity_bytes));
    if (explanation->pinned.bytes)
        text_append(text, ", with %llu of pinned inputs and outputs",
                    (unsigned long long)explanation->pinned.bytes);
}

static void append_fit(const struct explanation *explanation, const struct job *job,
                       struct text *text)
{
    text_append(text, "it does fit: %s did not find it, exact needs %llu bytes", job->planner->name,
                (unsigned long long)explanation->least_bytes);
}

static void append_finding(const struct explanation *explanation, const struct job *job,
                           struct text *text)
{
    switch (explanation_finding(explanation, job->capacity_bytes)) {
    case EXPLANATION_SECTION:
        append_section(explanation, job, text);
        break;
    case EXPLANATION_SUBSET: {
        const bool one = explanation->subset.count == 1;
        text_append(text, "no section is over the capacity, but ");
        text_append(text, one ? "a buffer" : "these %u buffers", explanation->subset.count);
        append_region(explanation, job, text);
        text_append(text, " %s%s", one ? "does not fit" : "do not fit together",
                    !one && explanation->subset.irreducible
                        ? ", and any of them left out the others do"
                        : "");
    } break;
    case EXPLANATION_FITS:
        append_fit(explanation, job, text);
        break;
    case EXPLANATION_NOTHING:
        text_append(text, "no section is over the capacity, and no subset was proved not to fit in "
                          "time");
    }
}

static void name_finding(struct named *named, const struct explanation *explanation,
                         const struct job *job)
{
    enum explanation_finding finding = explanation_finding(explanation, job->capacity_bytes);
    if (finding == EXPLANATION_SECTION)
        name_section(named, explanation);
    else if (finding == EXPLANATION_SUBSET)
        for (uint32_t i = 0; i < explanation->subset.count; i++)
            name_buffer(named, explanation->subset.buffer[i],
                        named->problem->size[explanation->subset.buffer[i]]);
}

static enum status print_explanation(const struct explanation *explanation, const struct job *job,
                                     struct error *error)
{
    bool names = explanation_finding(explanation, job->capacity_bytes) < EXPLANATION_FITS;
    struct named named = {.problem = explanation->problem};
    SCOPED(text_free) struct text text = {0};
    append_finding(explanation, job, &text);
    TRY(text_check(&text, error));
    print_lines("\n%s%s\n", text.bytes, names ? ":" : "");
    name_finding(&named, explanation, job);
    unsigned long long least = explanation->least_bytes, bound = explanation->bound_bytes;
    if (least && least == bound)
        print_lines("least capacity that fits: %llu bytes, proved\n", least);
    else if (least)
        print_lines("least capacity that fits: between %llu and %llu bytes\n", bound, least);
    else
        print_lines("least capacity that fits: at least %llu bytes\n", bound);
    return STATUS_OK;
}

static void add_region(const struct explanation *explanation, const struct job *job,
                       struct json_tree *facts)
{
    const struct graph *graph = job->instance->graph;
    if (explanation->region == GRAPH_NONE || !explanation->region)
        return;
    const struct graph_region *region = &graph->region[explanation->region];
    json_build_text(facts, "region", graph_label(graph, region->name));
    json_build_text(facts, "operator", graph_label(graph, graph->op[region->owner].name));
}

static void add_finding(const struct explanation *explanation, const struct job *job,
                        struct json_tree *facts)
{
    enum explanation_finding finding = explanation_finding(explanation, job->capacity_bytes);
    struct named named = {.problem = explanation->problem, .facts = facts};
    if (finding == EXPLANATION_SECTION)
        json_build_count(facts, "step", explanation->load_step);
    else if (finding == EXPLANATION_SUBSET)
        json_build_boolean(facts, "irreducible", explanation->subset.irreducible);
    else
        return;
    json_build_open(facts, finding == EXPLANATION_SECTION ? "section" : "subset", JSON_ARRAY);
    name_finding(&named, explanation, job);
    json_build_close(facts);
}

enum status explanation_report(const struct explanation *explanation, const struct job *job,
                               struct json_tree *facts, struct error *error)
{
    if (!facts)
        return print_explanation(explanation, job, error);
    bool fits = explanation->least_bytes && explanation->least_bytes <= job->capacity_bytes;
    json_build_open(facts, "explanation", JSON_OBJECT);
    json_build_boolean(facts, "fits", fits);
    json_build_count(facts, "least_capacity_lower_bound", explanation->bound_bytes);
    json_build_count(facts, "load", explanation->load_bytes);
    if (explanation->least_bytes)
        json_build_count(facts, "least_capacity", explanation->least_bytes);
    add_region(explanation, job, facts);
    add_finding(explanation, job, facts);
    json_build_close(facts);
    return STATUS_OK;
}

static void add_alternatives(const struct alternatives *alternatives, struct json_tree *facts)
{
    json_build_open(facts, "alternatives", JSON_ARRAY);
    for (uint32_t i = 0; i < alternatives->count; i++) {
        json_build_open(facts, NULL, JSON_OBJECT);
        json_build_text(facts, "option", alternatives->row[i].option);
        json_build_count(facts, "peak", alternatives->row[i].peak_bytes);
        json_build_text(facts, "status", plan_status_name(alternatives->row[i].status));
        json_build_close(facts);
    }
    json_build_close(facts);
}

void alternatives_report(const struct alternatives *alternatives, const struct job *job,
                         const struct outcome *outcome, struct json_tree *facts)
{
    bool limited = job->capacity_bytes != UINT64_MAX, lower = false;
    /* Where there is no peak to compare with, only what fits is told. */
    uint64_t peak_bytes = outcome->measures.peak_bytes ? outcome->measures.peak_bytes
                          : limited                    ? job->capacity_bytes + 1
                                                       : UINT64_MAX;
    if (facts) {
        add_alternatives(alternatives, facts);
        return;
    }
    for (uint32_t i = 0; i < alternatives->count; i++) {
        const struct alternative *row = &alternatives->row[i];
        if (row->peak_bytes >= peak_bytes)
            break;
        char less[32] = "";
        if (outcome->measures.peak_bytes)
            snprintf(less, sizeof less, "  -%.1f %%",
                     100.0 * (double)(peak_bytes - row->peak_bytes) / (double)peak_bytes);
        print_lines("%s  %-32s %15llu bytes%s%s\n", lower ? "" : "\nwhat needs less:\n",
                    row->option, (unsigned long long)row->peak_bytes, less,
                    !limited                                 ? ""
                    : row->peak_bytes <= job->capacity_bytes ? "  fits"
                                                             : "  does not fit");
        lower = true;
    }
    if (!lower)
        print_lines("\nno in-place rules, policy or order that was tried %s\n",
                    outcome->measures.peak_bytes ? "needs less" : "fits");
}

static void append_named_section(const struct explanation *explanation, const struct job *job,
                                 struct text *text)
{
    struct named named = {.problem = explanation->problem, .line = text};
    append_section(explanation, job, text);
    text_append(text, ": ");
    name_section(&named, explanation);
    if (named.count > MOST_ON_LINE)
        text_append(text, " and %u more", named.count - MOST_ON_LINE);
}

static void append_why_not(const struct explanation *explanation, const struct job *job,
                           const struct outcome *outcome, struct text *text)
{
    text_append(text, "does not fit: ");
    if (explanation_finding(explanation, job->capacity_bytes) == EXPLANATION_SECTION)
        append_named_section(explanation, job, text);
    else if (outcome->measures.load_bytes > job->capacity_bytes)
        text_append(text, "under policy %s the load is %llu bytes, %llu over the capacity",
                    job_policy_name(job), (unsigned long long)outcome->measures.load_bytes,
                    (unsigned long long)(outcome->measures.load_bytes - job->capacity_bytes));
    else
        text_append(text, "no plan has %llu bytes or less",
                    (unsigned long long)job->capacity_bytes);
}

/* Sets the explanation, on one line, as the error STATUS_NO. The explanation may have only a
   section. The outcome has no plan that fits. */
static enum status refuse_capacity(const struct explanation *explanation, const struct job *job,
                                   const struct outcome *outcome, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    if (outcome->status == PLAN_INFEASIBLE || explanation->bound_bytes > job->capacity_bytes)
        append_why_not(explanation, job, outcome, &text);
    else if (explanation_finding(explanation, job->capacity_bytes) == EXPLANATION_FITS)
        append_fit(explanation, job, &text);
    else
        text_append(&text,
                    "%s needs %llu bytes, %llu over the capacity; no section is over it, the load "
                    "is %llu",
                    job->planner->name, (unsigned long long)outcome->measures.peak_bytes,
                    (unsigned long long)(outcome->measures.peak_bytes - job->capacity_bytes),
                    (unsigned long long)outcome->measures.load_bytes);
    TRY(text_check(&text, error));
    return error_set(error, STATUS_NO, "%s", text.bytes);
}

static enum status report_fault(const struct job *job, const struct outcome *outcome,
                                struct error *error)
{
    char text[sizeof error->text];
    TRY(fault_describe(job, outcome, text, sizeof text, error));
    if (outcome->verdict.fault == VERIFY_SAMPLED && outcome->execution.intact)
        return error_set(error, STATUS_LIMIT, "the plan is %s", text);
    return error_set(error, STATUS_NO, "the plan is wrong: %s", text);
}

enum status explain_outcome(const struct job *job, const struct outcome *outcome,
                            const struct explanation *explanation, struct error *error)
{
    if (outcome->status == PLAN_UNSUPPORTED && *outcome->stop_reason)
        return error_set(error, STATUS_LIMIT, "%s cannot plan this instance: %s",
                         job->planner->name, outcome->stop_reason);
    if (outcome->status == PLAN_UNSUPPORTED)
        return error_set(error, STATUS_LIMIT,
                         "%s cannot plan this instance: it was built without it, the instance is "
                         "too large, or its rule knows no such instances",
                         job->planner->name);
    if (outcome->status == PLAN_GAVE_UP && !outcome->measures.peak_bytes)
        return error_set(error, STATUS_LIMIT,
                         "%s found no plan within the capacity and proved nothing",
                         job->planner->name);
    if (outcome->status == PLAN_CRASH)
        return error_set(
            error, strcmp(job->planner->family, "plugin") == 0 ? STATUS_BAD_INPUT : STATUS_INTERNAL,
            "%s crashed: %s", job->planner->name, outcome->stop_reason);
    if (outcome->status == PLAN_MEMOUT)
        return error_set(error, STATUS_LIMIT, "memory limit reached without a plan: %s",
                         outcome->stop_reason);
    if (outcome->status == PLAN_TIMEOUT)
        return error_set(error, STATUS_LIMIT, "time limit reached without a plan");
    if (!outcome_found(outcome) && !outcome->measures.peak_bytes && *outcome->stop_reason) {
        const struct names *names = &job->instance->problem->names;
        return error_set(
            error, STATUS_NO,
            "no plan: '%s' and '%s' are fixed on the same bytes and live together at step %u",
            names_get(names, outcome->verdict.first), names_get(names, outcome->verdict.second),
            outcome->verdict.step);
    }
    if (!outcome_found(outcome)) {
        SCOPED(explanation_clear) struct explanation section = {0};
        if (explanation)
            return refuse_capacity(explanation, job, outcome, error);
        TRY(explanation_find_section(job, &section, error));
        return refuse_capacity(&section, job, outcome, error);
    }
    return outcome_is_good(outcome) ? STATUS_OK : report_fault(job, outcome, error);
}
