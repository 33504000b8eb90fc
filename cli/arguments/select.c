#include "cli/arguments/select.h"

#include <stdio.h>
#include <string.h>

#include "core/known_names.h"
#include "core/memory.h"
#include "datasets/suite.h"
#include "harness/catalogue/groups.h"
#include "results/store/options.h"

static const char *get_planner_name(const void *registry, uint32_t index)
{
    return registry_at(registry, index)->name;
}

/* Finds the planner that "name" or "name?setting=value&..." stands for. */
static enum status find_planner(const struct registry *registry, const char *name, size_t length,
                                struct planner **planner, struct error *error)
{
    SCOPED(text_free) struct text settings = {0};
    const char *mark = memchr(name, '?', length);
    size_t row_length = mark ? (size_t)(mark - name) : length;
    const struct planner *row = registry_find(registry, name, row_length);
    if (!row) {
        const struct known_names known = {.kind = "planner",
                                          .lister = "memplan list planners",
                                          .count = registry_count(registry),
                                          .name_at = get_planner_name,
                                          .context = registry};
        return known_names_refuse(&known, name, row_length, error);
    }
    if (mark)
        text_append_bytes(&settings, mark + 1, length - row_length - 1);
    TRY(text_check(&settings, error));
    return planner_configure(row, mark ? settings.bytes : NULL, planner, error);
}

enum status select_planner(const struct registry *registry, const char *name,
                           struct planner **planner, struct error *error)
{
    if (!name)
        name = "best";
    return find_planner(registry, name, strlen(name), planner, error);
}

enum status select_policy(const char *name, const struct policy **policy, struct error *error)
{
    if (!name)
        name = "flat";
    *policy = policy_find(name);
    return *policy ? STATUS_OK : policy_refuse(name, strlen(name), error);
}

void select_suited_policy(const struct arguments *arguments, const struct instance *instance,
                          const struct policy **policy)
{
    if (!arguments->policies && instance->graph && graph_has_streams(instance->graph))
        *policy = &policy_streams;
}

enum status select_inplace(const struct arguments *arguments, struct inplace_choice *choice,
                           struct error *error)
{
    const char *name = arguments->inplace;
    *choice = (struct inplace_choice){.disabled = arguments->disable_inplace};
    if (name) {
        choice->rules = inplace_find(name);
        if (!choice->rules)
            return inplace_refuse(name, strlen(name), error);
    } else if (arguments->disable_inplace) {
        return error_set(error, STATUS_USAGE, "--disable-inplace without --inplace RULES");
    }
    return STATUS_OK;
}

static enum status add_planner(const struct registry *registry, struct planner_list *planners,
                               const char *name, size_t length, struct error *error)
{
    TRY(memory_reserve(&planners->planner, &planners->capacity, (size_t)planners->count + 1,
                       sizeof *planners->planner, error));
    TRY(find_planner(registry, name, length, &planners->planner[planners->count], error));
    const struct planner *added = planners->planner[planners->count++];
    for (uint32_t i = 0; i + 1 < planners->count; i++)
        if (strcmp(planners->planner[i]->name, added->name) == 0)
            return error_set(error, STATUS_USAGE, "planner '%s' is named twice", added->name);
    return STATUS_OK;
}

static bool is_lister(const struct planner_list *planners, const char *name)
{
    uint32_t i = 0;
    while (i < planners->count && strcmp(planners->planner[i]->name, name) != 0)
        i++;
    return i < planners->count;
}

/* Adds the planner or the group of planners that a word names; the name of a planner comes
   first. */
static enum status add_word(const struct registry *registry, struct planner_list *planners,
                            const char *word, size_t length, struct error *error)
{
    bool is_group = false;
    if (!registry_find(registry, word, length))
        for (uint32_t i = 0; i < registry_count(registry); i++) {
            const struct planner *planner = registry_at(registry, i);
            if (!groups_has(word, length, planner))
                continue;
            is_group = true;
            if (!is_lister(planners, planner->name))
                TRY(add_planner(registry, planners, planner->name, strlen(planner->name), error));
        }
    return is_group ? STATUS_OK : add_planner(registry, planners, word, length, error);
}

enum status select_planners(const struct registry *registry, const char *list,
                            struct planner_list *planners, struct error *error)
{
    for (uint32_t i = 0; !list && i < registry_count(registry); i++) {
        const char *name = registry_at(registry, i)->name;
        TRY(add_planner(registry, planners, name, strlen(name), error));
    }
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        TRY(add_word(registry, planners, at, strcspn(at, ","), error));
    return STATUS_OK;
}

void planner_list_clear(struct planner_list *planners)
{
    for (uint32_t i = 0; i < planners->count; i++)
        planner_free(planners->planner[i]);
    memory_free(planners->planner);
    *planners = (struct planner_list){0};
}

enum status select_policies(const char *list, const struct policy ***policies, uint32_t *count,
                            struct error *error)
{
    *count = 0;
    *policies = NULL;
    if (!list || strcmp(list, "all") == 0)
        return STATUS_OK;
    SCOPED(memory_release) const struct policy **chosen = NULL;
    TRY(memory_create(&chosen, strlen(list) / 2 + 1, sizeof *chosen, error));
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        const struct policy *policy = NULL;
        for (uint32_t i = 0; i < policy_count() && !policy; i++)
            if (strlen(policy_at(i)->name) == length && !strncmp(policy_at(i)->name, at, length))
                policy = policy_at(i);
        if (!policy)
            return policy_refuse(at, length, error);
        for (uint32_t i = 0; i < *count; i++)
            if (chosen[i] == policy)
                return error_set(error, STATUS_USAGE, "policy '%s' is named twice", policy->name);
        chosen[(*count)++] = policy;
    }
    HAND_OVER(chosen, policies);
}

/* Appends the ranges to the name of a model or a network, as its options. */
static enum status name_with_ranges(const struct arguments *arguments, const char *name,
                                    struct text *text, struct error *error)
{
    text_append(text, "%s", name);
    for (uint32_t i = 0; i < arguments->range.count && select_has_ranges(name); i++)
        text_append(text, "%c%s", i || strchr(name, '?') ? '&' : '?', arguments->range.value[i]);
    return text_check(text, error);
}

static enum status load_instance(const struct arguments *arguments, const char *name,
                                 struct instance **instance, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    struct instance_options options = {
        .offsets = arguments->ignore_offsets  ? FIXED_OFFSETS_IGNORED
                   : arguments->audit_offsets ? FIXED_OFFSETS_AUDITED
                                              : FIXED_OFFSETS_KEPT,
        .dialect = arguments->dialect,
        .lifetimes = arguments->lifetimes,
        .model = {arguments->bind.value, arguments->bind.count, arguments->assume_dimension}};
    TRY(name_with_ranges(arguments, name, &text, error));
    return instance_load(text.bytes, &options, instance, error);
}

enum status select_instance(const struct arguments *arguments, const char *name,
                            struct instance **instance, struct error *error)
{
    TRY(select_file_options(arguments, &name, 1, error));
    return load_instance(arguments, name, instance, error);
}

enum status select_memory_limit(const struct arguments *arguments, struct error *error)
{
    if (arguments->memory_limit_bytes && !subprocess_can_limit_memory())
        return error_set(error, STATUS_USAGE,
                         "found --memory-limit, which a build with AddressSanitizer cannot keep");
    return STATUS_OK;
}

static void add_bytes_option(struct text *options, const char *name, uint64_t bytes)
{
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)bytes);
    options_add(options, name, number);
}

enum status select_options(const struct arguments *arguments, struct text *options,
                           struct error *error)
{
    text_append_bytes(options, "", 0);
    if (arguments->capacity_bytes != UINT64_MAX)
        add_bytes_option(options, OPTIONS_CAPACITY, arguments->capacity_bytes);
    if (arguments->alignment_bytes)
        add_bytes_option(options, OPTIONS_ALIGNMENT, arguments->alignment_bytes);
    if (arguments->inplace && strcmp(arguments->inplace, "none") != 0) {
        options_add(options, OPTIONS_INPLACE, arguments->inplace);
        if (arguments->disable_inplace)
            options_add(options, OPTIONS_DISABLE_INPLACE, arguments->disable_inplace);
    }
    if (arguments->pin_io)
        options_add(options, OPTIONS_PIN_IO, "yes");
    return text_check(options, error);
}

static enum status add_instance(const struct arguments *arguments, const char *name,
                                struct selection *selection, struct error *error)
{
    TRY(memory_reserve(&selection->instance, &selection->capacity, (size_t)selection->count + 1,
                       sizeof(struct instance *), error));
    TRY(load_instance(arguments, name, &selection->instance[selection->count], error));
    struct instance *added = selection->instance[selection->count];
    for (uint32_t i = 0; i < selection->count; i++)
        if (strcmp(selection->instance[i]->name, added->name) == 0 &&
            strcmp(selection->instance[i]->digest, added->digest) == 0) {
            instance_free(added);
            return STATUS_OK;
        }
    selection->count++;
    return STATUS_OK;
}

static enum status add_suites(const struct arguments *arguments, struct selection *selection,
                              struct error *error)
{
    const char *suites = arguments->suites;
    *selection = (struct selection){0};
    TRY(select_file_options(arguments, arguments->operand, arguments->operands, error));
    for (const char *at = suites; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const struct suite *suite;
        TRY(suite_select(at, strcspn(at, ","), &suite, error));
        if (suite->has_memories)
            return error_set(error, STATUS_USAGE,
                             "suite '%s' has problems with several memories, expected one of "
                             "graphs and problems",
                             suite->name);
        for (uint32_t i = 0; i < suite_instances(suite); i++)
            TRY(add_instance(arguments, suite_instance(suite, i), selection, error));
    }
    return STATUS_OK;
}

static enum status refuse_nothing(struct error *error)
{
    return error_set(error, STATUS_USAGE, "no instance, expected names, files or --suite");
}

enum status select_instances(const struct arguments *arguments, struct selection *selection,
                             struct error *error)
{
    TRY(add_suites(arguments, selection, error));
    for (uint32_t i = 0; i < arguments->operands; i++)
        TRY(add_instance(arguments, arguments->operand[i], selection, error));
    return selection->count ? STATUS_OK : refuse_nothing(error);
}

enum status select_readable_instances(const struct arguments *arguments,
                                      struct selection *selection, struct error *error)
{
    TRY(add_suites(arguments, selection, error));
    for (uint32_t i = 0; i < arguments->operands; i++) {
        const char *name = arguments->operand[i];
        struct error why = ERROR_NONE;
        enum status status = add_instance(arguments, name, selection, &why);
        if (status && status != STATUS_BAD_INPUT) {
            *error = why;
            return status;
        }
        uint32_t known = 0;
        while (known < selection->unreadables &&
               strcmp(selection->unreadable[known]->instance.path, name) != 0)
            known++;
        if (!status || known < selection->unreadables)
            continue;
        TRY(memory_reserve(&selection->unreadable, &selection->unreadable_capacity,
                           (size_t)known + 1, sizeof *selection->unreadable, error));
        TRY(unreadable_file_create(name, &why, &selection->unreadable[known], error));
        selection->unreadables++;
    }
    if (selection->count)
        return STATUS_OK;
    if (!selection->unreadables)
        return refuse_nothing(error);
    *error = selection->unreadable[0]->error;
    return error->status;
}

void selection_clear(struct selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++)
        instance_free(selection->instance[i]);
    for (uint32_t i = 0; i < selection->unreadables; i++)
        unreadable_file_free(selection->unreadable[i]);
    memory_free_all(selection->instance, selection->unreadable);
    *selection = (struct selection){0};
}
