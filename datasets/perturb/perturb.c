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

enum status perturb_parse_name(const char *name, struct perturbation *perturbation,
                               struct error *error)
{
    const char *text = name + strlen(PREFIX);
    size_t length = strcspn(text, "?:"), end = strcspn(text, ":"), index = 0;
    char options[OPTIONS_BYTES];
    assert(perturb_is_name(name));
    *perturbation = (struct perturbation){.rule = NULL};
    while (index < RULES && (strlen(rules[index]->kind.name) != length ||
                             memcmp(rules[index]->kind.name, text, length) != 0))
        index++;
    if (index == RULES)
        return rows_refuse(
            &(struct rows_kind){"rule", "memplan list perturbations", NULL, RULES, get_name}, text,
            length, error);
    const struct perturb_rule *rule = perturbation->rule = rules[index];
    if (!text[end])
        return error_set(error, STATUS_USAGE, "found '%s', expected %s:NAME, of what is changed",
                         name, name);
    generate_start(&rule->kind, &perturbation->settings);
    if (end - length > sizeof options)
        return error_set(error, STATUS_USAGE, "found options of %zu characters, expected %s:NAME",
                         end - length, rule->kind.name);
    if (end > length) {
        snprintf(options, sizeof options, "%.*s", (int)(end - length) - 1, text + length + 1);
        TRY(generate_set_list(&rule->kind, &perturbation->settings, options, '&', error));
    }
    /* The name of one instance, or of two with a + between them. */
    const char *names = text + end + 1, *plus = rule->takes_two ? strchr(names, '+') : NULL;
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
    SCOPED(problem_release) struct problem *problem = NULL;
    assert(source[0]->buffers && !source[1] == !perturbation->rule->takes_two);
    TRY(problem_create(&problem, name, error));
    problem->line_end = source[0]->line_end;
    TRY(perturbation->rule->apply(&task, problem, error));
    TRY(problem_clocks_raise_load(&problem, error));
    TRY(problem_finish(problem, error));
    HAND_OVER(problem, made);
}
