#include "datasets/memories/derived.h"

#include <assert.h>
#include <string.h>

#include "planning/memories/finish.h"

#define MEMORY_RULE(name) extern const struct memory_rule memory_rule_##name;
#include "datasets/memories/rules.def"
#undef MEMORY_RULE

static const struct memory_rule *const rules[] = {
#define MEMORY_RULE(name) &memory_rule_##name,
#include "datasets/memories/rules.def"
#undef MEMORY_RULE
};

#define PREFIX "memories:"

ROWS_DEFINE_POINTERS(memory_rule, struct memory_rule, rules);

static const char *get_name(uint32_t index)
{
    return rules[index]->kind.name;
}

static const struct generate_kind *get_kind(uint32_t index)
{
    return &rules[index]->kind;
}

bool memory_derived_is_name(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

enum status memory_derived_parse(const char *name, struct generate_derived *derived,
                                 struct error *error)
{
    const struct generate_rules all = {
        PREFIX,
        {"rule", "memplan list memory-rules", NULL, memory_rule_count(), get_name},
        get_kind};
    return generate_parse_derived(name, &all, derived, error);
}

/* A copy of the buffers and the steps at which they are live. */
static enum status copy_plain(const struct problem *source, const char *name, struct problem **made,
                              struct error *error)
{
    SCOPED(problem_release) struct problem *plain = NULL;
    TRY(problem_create(&plain, name, error));
    if (source->clocks || source->any_fixed || problem_has_windows(source))
        return error_set(
            error, STATUS_USAGE,
            "found clocks, windows or fixed buffers in '%s', expected none for several "
            "memories",
            names_get(&source->name, 0));
    for (uint32_t b = 0; b < source->buffers; b++) {
        const struct problem_buffer buffer = {.name = names_get(&source->names, b),
                                              .size = source->size[b],
                                              .alignment = problem_alignment(source, b),
                                              .fixed_offset = PROBLEM_FREE,
                                              .hint = -1};
        TRY(problem_add_buffer(plain, &buffer, error));
        for (uint32_t s = source->first[b]; s < source->first[b + 1]; s++)
            TRY(problem_add_segment(
                plain, (struct problem_segment){source->lower[s], source->upper[s], 0, buffer.size},
                error));
    }
    TRY(problem_finish(plain, error));
    HAND_OVER(plain, made);
}

enum status memory_derived_create(const struct generate_derived *derived, const char *name,
                                  const struct problem *source, struct memory_problem **made,
                                  struct error *error)
{
    const struct memory_rule *rule = rules[derived->rule];
    const struct memory_rule_task task = {source, derived->of, derived->settings.value,
                                          derived->settings.seed};
    SCOPED(memory_problem_release) struct memory_problem *problem = NULL;
    struct problem *plain = NULL;
    struct memory_fault fault = {MEMORY_LIST_WHOLE, 0};
    assert(source->buffers && derived->rule < memory_rule_count());
    TRY(copy_plain(source, name, &plain, error));
    TRY(memory_problem_create(&problem, plain, rule->memories, error));
    TRY(rule->apply(&task, problem, error));
    assert(problem->names.count == problem->memories);
    TRY(memory_problem_finish(problem, &fault, error));
    HAND_OVER(problem, made);
}
