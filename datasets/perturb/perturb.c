#include "datasets/perturb/perturb.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/rows.h"
#include "planning/problem/clocks_resolve.h"

#define PERTURB(name) extern const struct perturb_rule perturb_##name;
#include "datasets/perturb/rules.def"
#undef PERTURB

#define PERTURB(name) &perturb_##name,
static const struct perturb_rule *const rules[] = {
#include "datasets/perturb/rules.def"
};
#undef PERTURB

#define PREFIX "perturbed:"

enum { RULES = sizeof rules / sizeof *rules, OPTIONS_BYTES = 256 };

uint32_t perturb_count(void)
{
    return RULES;
}

const struct perturb_rule *perturb_at(uint32_t index)
{
    return rules[index];
}

static const char *get_name(uint32_t index)
{
    return rules[index]->kind.name;
}

bool perturb_is_name(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

static enum status find_rule(const char *name, size_t length, const struct perturb_rule **rule,
                             struct error *error)
{
    for (uint32_t i = 0; i < RULES; i++) {
        *rule = rules[i];
        if (strlen(get_name(i)) == length && memcmp(get_name(i), name, length) == 0)
            return STATUS_OK;
    }
    return rows_refuse(
        &(struct rows_kind){"rule", "memplan list perturbations", NULL, RULES, get_name}, name,
        length, error);
}

/* Sets the options from a list that begins with ?, or is empty. */
static enum status set_options(struct perturbation *perturbation, const char *list, size_t length,
                               struct error *error)
{
    const struct generate_kind *kind = &perturbation->rule->kind;
    char options[OPTIONS_BYTES];
    generate_start(kind, &perturbation->settings);
    if (!length)
        return STATUS_OK;
    if (length > sizeof options)
        return error_set(error, STATUS_USAGE, "found options of %zu characters, expected %s:NAME",
                         length, kind->name);
    snprintf(options, sizeof options, "%.*s", (int)length - 1, list + 1);
    return generate_set_list(kind, &perturbation->settings, options, '&', error);
}

/* Sets the name of one instance, or of two with a + between them. */
static enum status set_names(struct perturbation *perturbation, const char *names,
                             struct error *error)
{
    const struct perturb_rule *rule = perturbation->rule;
    const char *plus = rule->takes_two ? strchr(names, '+') : NULL;
    if (!*names || (rule->takes_two && (!plus || plus == names || !plus[1])))
        return error_set(error, STATUS_USAGE, "found '%s', expected " PREFIX "%s:%s", names,
                         rule->kind.name, rule->takes_two ? "NAME+NAME" : "NAME");
    perturbation->first = memory_copy_text(names);
    if (!perturbation->first)
        return error_no_memory(error);
    if (plus) {
        perturbation->first[plus - names] = '\0';
        perturbation->second = perturbation->first + (plus - names) + 1;
    }
    return STATUS_OK;
}

enum status perturb_parse_name(const char *name, struct perturbation *perturbation,
                               struct error *error)
{
    const char *rule = name + strlen(PREFIX);
    size_t length = strcspn(rule, "?:"), end = strcspn(rule, ":");
    assert(perturb_is_name(name));
    *perturbation = (struct perturbation){.rule = NULL};
    TRY(find_rule(rule, length, &perturbation->rule, error));
    if (!rule[end])
        return error_set(error, STATUS_USAGE, "found '%s', expected %s:NAME, of what is changed",
                         name, name);
    TRY(set_options(perturbation, rule + length, end - length, error));
    return set_names(perturbation, rule + end + 1, error);
}

void perturb_free(struct perturbation *perturbation)
{
    memory_free(perturbation->first);
}

enum status perturb_create(const struct perturbation *perturbation, const char *name,
                           const struct problem *const source[2], struct problem **made,
                           struct error *error)
{
    struct perturb_task task = {source[0], source[1], perturbation->settings.value,
                                random_seed(perturbation->settings.seed)};
    struct problem *problem;
    assert(source[0]->buffers && !source[1] == !perturbation->rule->takes_two);
    TRY(problem_create(&problem, name, error));
    problem->line_end = source[0]->line_end;
    enum status status = perturbation->rule->apply(&task, problem, error);
    if (!status)
        status = problem_clocks_raise_load(&problem, error);
    if (!status)
        status = problem_finish(problem, error);
    if (status)
        problem_free(problem);
    else
        *made = problem;
    return status;
}
