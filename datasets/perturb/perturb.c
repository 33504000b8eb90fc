#include "datasets/perturb/perturb.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
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

enum { RULES = sizeof rules / sizeof *rules };

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

static const struct generate_kind *get_kind(uint32_t index)
{
    return &rules[index]->kind;
}

bool perturb_is_name(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

enum status perturb_parse_name(const char *name, struct perturbation *perturbation,
                               struct error *error)
{
    static const struct generate_rules all = {
        PREFIX, {"rule", "memplan list perturbations", NULL, RULES, get_name}, get_kind};
    struct generate_derived derived;
    *perturbation = (struct perturbation){.rule = NULL};
    TRY(generate_parse_derived(name, &all, &derived, error));
    const struct perturb_rule *rule = perturbation->rule = rules[derived.rule];
    perturbation->settings = derived.settings;
    /* The name of one instance, or of two with a + between them. */
    const char *names = derived.of, *plus = rule->takes_two ? strchr(names, '+') : NULL;
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
