#include "cli/explanation.h"

#include <stdio.h>

#include "harness/explanation.h"
#include "harness/whole_problem.h"

/* Some buffers of a problem, at a step or without one, and why they are named. */
struct named {
    const struct problem *problem;
    const char *key;
    json_t *facts; /* array to fill, or NULL to print */
};

static void name_buffer(const struct named *named, uint32_t buffer, uint64_t bytes)
{
    const char *name = names_get(&named->problem->names, buffer);
    uint32_t lower = problem_lower(named->problem, buffer);
    uint32_t upper = problem_upper(named->problem, buffer);
    if (named->facts)
        json_array_append_new(named->facts,
                              json_pack("{ss sI sI sI}", "name", name, "bytes", (json_int_t)bytes,
                                        "lower", (json_int_t)lower, "upper", (json_int_t)upper));
    else
        printf("  %-32s %15llu bytes  [%u, %u)\n", name, (unsigned long long)bytes, lower, upper);
}

static void name_section(const struct named *named, const struct explanation *explanation)
{
    for (uint32_t b = 0; b < named->problem->buffers; b++) {
        uint64_t bytes = explanation_live_bytes(named->problem, b, explanation->load_step);
        if (bytes)
            name_buffer(named, b, bytes);
    }
}

static void name_subset(const struct named *named, const struct explanation *explanation)
{
    for (uint32_t i = 0; i < explanation->subset.count; i++)
        name_buffer(named, explanation->subset.buffer[i],
                    named->problem->size[explanation->subset.buffer[i]]);
}

static bool is_over(const struct explanation *explanation, const struct job *job)
{
    return explanation->load_bytes > job->capacity_bytes;
}

static bool has_subset(const struct explanation *explanation)
{
    return explanation->subset.proved;
}

static void print_least(const struct explanation *explanation)
{
    if (explanation->least_bytes && explanation->least_bytes == explanation->bound_bytes)
        printf("least capacity that fits: %llu bytes, proved\n",
               (unsigned long long)explanation->least_bytes);
    else if (explanation->least_bytes)
        printf("least capacity that fits: between %llu and %llu bytes\n",
               (unsigned long long)explanation->bound_bytes,
               (unsigned long long)explanation->least_bytes);
    else
        printf("least capacity that fits: at least %llu bytes\n",
               (unsigned long long)explanation->bound_bytes);
}

/* Steps behind the line's end are no moments: what is live there conflicts on some path. */
static void print_section(const struct explanation *explanation, const struct job *job,
                          const struct problem *problem)
{
    char place[64] = "buffers that all conflict with each other need";
    if (explanation->load_step < problem->line_end)
        snprintf(place, sizeof place, "the section at step %u needs", explanation->load_step);
    printf("\n%s %llu bytes, %llu over the capacity:\n", place,
           (unsigned long long)explanation->load_bytes,
           (unsigned long long)(explanation->load_bytes - job->capacity_bytes));
}

static void print_explanation(const struct explanation *explanation, const struct job *job,
                              const struct problem *problem)
{
    const struct named named = {.problem = problem};
    if (is_over(explanation, job)) {
        print_section(explanation, job, problem);
        name_section(&named, explanation);
    } else if (has_subset(explanation)) {
        printf("\nno section is over the capacity, but these %u buffers do not fit together%s:\n",
               explanation->subset.count,
               explanation->subset.irreducible ? ", and any of them left out the others do" : "");
        name_subset(&named, explanation);
    } else if (explanation->least_bytes && explanation->least_bytes <= job->capacity_bytes) {
        printf("\nit does fit: exact search has a plan\n");
    } else {
        printf("\nno section is over the capacity, and no subset was proved not to fit in time\n");
    }
    print_least(explanation);
}

static enum status add_explanation(const struct explanation *explanation, const struct job *job,
                                   const struct problem *problem, json_t *facts,
                                   struct error *error)
{
    struct named named = {.problem = problem, .facts = json_array()};
    json_t *added =
        json_pack("{sb sI sI}", "fits",
                  explanation->least_bytes && explanation->least_bytes <= job->capacity_bytes,
                  "least_capacity_lower_bound", (json_int_t)explanation->bound_bytes, "load",
                  (json_int_t)explanation->load_bytes);
    if (!added || !named.facts)
        return error_no_memory(error);
    if (explanation->least_bytes)
        json_object_set_new(added, "least_capacity",
                            json_integer((json_int_t)explanation->least_bytes));
    if (is_over(explanation, job)) {
        json_object_set_new(added, "step", json_integer(explanation->load_step));
        name_section(&named, explanation);
        json_object_set_new(added, "section", named.facts);
    } else if (has_subset(explanation)) {
        json_object_set_new(added, "irreducible", json_boolean(explanation->subset.irreducible));
        name_subset(&named, explanation);
        json_object_set_new(added, "subset", named.facts);
    } else {
        json_decref(named.facts);
    }
    json_object_set_new(facts, "explanation", added);
    return STATUS_OK;
}

/* A problem, and why it does not fit. */
struct explained {
    struct whole_problem whole;
    struct explanation explanation;
};

static void clear_explained(struct explained *explained)
{
    explanation_free(&explained->explanation);
    whole_problem_clear(&explained->whole);
}

static enum status explain_under(const struct arguments *arguments, const struct job *job,
                                 const struct policy *policy, struct explained *explained,
                                 struct error *error)
{
    TRY(whole_problem_create(job->instance, policy, &job->inplace, job->alignment_bytes,
                             &explained->whole, error));
    const struct planner_task task = {.problem = explained->whole.problem,
                                      .capacity_bytes = job->capacity_bytes,
                                      .time_limit_ns = arguments->time_limit_ns,
                                      .seed = job->seed,
                                      .threads = job->threads};
    return explanation_find(&task, &explained->explanation, error);
}

static bool needs_less(const struct explanation *one, const struct explanation *other)
{
    return one->least_bytes && (!other->least_bytes || one->least_bytes < other->least_bytes);
}

/* What fits under either policy fits: the one that needs less is explained, and the bound holds for
   both. */
static enum status explain_alternative(const struct arguments *arguments, const struct job *job,
                                       struct explained *explained, struct error *error)
{
    struct explained other = {0};
    enum status status = explain_under(arguments, job, job->policy->alternative, &other, error);
    if (!status) {
        uint64_t bound_bytes = other.explanation.bound_bytes < explained->explanation.bound_bytes
                                   ? other.explanation.bound_bytes
                                   : explained->explanation.bound_bytes;
        if (needs_less(&other.explanation, &explained->explanation)) {
            struct explained worse = *explained;
            *explained = other;
            other = worse;
        }
        explained->explanation.bound_bytes = bound_bytes;
    }
    clear_explained(&other);
    return status;
}

enum status explanation_report(const struct arguments *arguments, const struct job *job,
                               json_t *facts, struct error *error)
{
    struct explained explained = {0};
    enum status status;
    TRY_OR_DONE(status, explain_under(arguments, job, job->policy, &explained, error));
    if (job->policy && job->policy->alternative)
        TRY_OR_DONE(status, explain_alternative(arguments, job, &explained, error));
    if (facts)
        status =
            add_explanation(&explained.explanation, job, explained.whole.problem, facts, error);
    else
        print_explanation(&explained.explanation, job, explained.whole.problem);
done:
    clear_explained(&explained);
    return status;
}
