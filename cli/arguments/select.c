#include "cli/arguments/select.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/names.h"
#include "core/subprocess.h"
#include "core/text.h"
#include "harness/planners/groups.h"
#include "planning/inplace/rules.h"
#include "planning/policies/policy.h"
#include "results/store/options.h"

/* A table of named rows. */
struct rows {
    const char *kind;
    uint32_t (*count)(const void *context);
    const char *(*name)(const void *context, uint32_t index);
    const void *context;
};

static uint32_t count_planners(const void *registry)
{
    return registry_count(registry);
}

static const char *get_planner_name(const void *registry, uint32_t index)
{
    return registry_at(registry, index)->name;
}

static uint32_t count_policies(const void *context)
{
    (void)context;
    return policy_count();
}

static const char *get_policy_name(const void *context, uint32_t index)
{
    (void)context;
    return policy_at(index)->name;
}

static uint32_t count_inplace(const void *context)
{
    (void)context;
    return inplace_count();
}

static const char *get_inplace_name(const void *context, uint32_t index)
{
    (void)context;
    return inplace_at(index)->name;
}

static const struct rows inplace_rows = {"in-place rules", count_inplace, get_inplace_name, NULL};
static const struct rows policy_rows = {"policy", count_policies, get_policy_name, NULL};

/* Of long tables only the names that share a word with what was written. */
static bool is_worth_naming(const struct rows *rows, uint32_t row, const char *name, size_t length)
{
    enum { FEW = 20, LEAST_WORD = 3 };
    char word[32];
    if (rows->count(rows->context) <= FEW)
        return true;
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && name[end] != '_')
            end++;
        snprintf(word, sizeof word, "%.*s", (int)(end - at), name + at);
        if (end - at >= LEAST_WORD && strstr(rows->name(rows->context, row), word))
            return true;
        at = end + 1;
    }
    return false;
}

static enum status report_unknown(const struct rows *rows, const char *name, size_t length,
                                  struct error *error)
{
    struct text known = {0};
    for (uint32_t i = 0; i < rows->count(rows->context); i++)
        if (is_worth_naming(rows, i, name, length))
            text_append(&known, "%s%s", known.length ? ", " : "", rows->name(rows->context, i));
    if (!known.length)
        text_append(&known, "those that memplan list names");
    error_set(error, STATUS_USAGE, "no %s '%.*s', expected one of: %s", rows->kind, (int)length,
              name, known.bytes ? known.bytes : "");
    text_free(&known);
    return STATUS_USAGE;
}

static enum status find_row(const struct rows *rows, const char *name, size_t length, uint32_t *row,
                            struct error *error)
{
    for (uint32_t i = 0; i < rows->count(rows->context); i++) {
        const char *known = rows->name(rows->context, i);
        if (strlen(known) == length && strncmp(known, name, length) == 0) {
            *row = i;
            return STATUS_OK;
        }
    }
    return report_unknown(rows, name, length, error);
}

/* "name" or "name?setting=value&..". */
static enum status find_planner(const struct registry *registry, const char *name, size_t length,
                                struct planner **planner, struct error *error)
{
    const struct rows rows = {"planner", count_planners, get_planner_name, registry};
    uint32_t row;
    struct text settings = {0};
    const char *mark = memchr(name, '?', length);
    size_t row_length = mark ? (size_t)(mark - name) : length;
    TRY(find_row(&rows, name, row_length, &row, error));
    if (mark)
        text_append_bytes(&settings, mark + 1, length - row_length - 1);
    enum status status = text_check(&settings, error);
    if (!status)
        status = planner_configure(registry_at(registry, row), mark ? settings.bytes : NULL,
                                   planner, error);
    text_free(&settings);
    return status;
}

enum status select_planner(const struct registry *registry, const char *name,
                           struct planner **planner, struct error *error)
{
    if (!name)
        name = "large_first";
    return find_planner(registry, name, strlen(name), planner, error);
}

enum status select_policy(const char *name, const struct policy **policy, struct error *error)
{
    if (!name)
        name = "flat";
    *policy = policy_find(name);
    return *policy ? STATUS_OK : report_unknown(&policy_rows, name, strlen(name), error);
}

enum status select_inplace(const struct arguments *arguments, struct inplace_choice *choice,
                           struct error *error)
{
    const char *name = arguments->inplace;
    *choice = (struct inplace_choice){.disabled = arguments->disable_inplace};
    if (name) {
        choice->rules = inplace_find(name);
        if (!choice->rules)
            return report_unknown(&inplace_rows, name, strlen(name), error);
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

static bool is_listed(const struct planner_list *planners, const char *name)
{
    uint32_t i = 0;
    while (i < planners->count && strcmp(planners->planner[i]->name, name) != 0)
        i++;
    return i < planners->count;
}

/* A planner's own name goes before the group of that name. */
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
            if (!is_listed(planners, planner->name))
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

static enum status add_policy(const struct policy **policies, uint32_t *count, const char *name,
                              size_t length, struct error *error)
{
    uint32_t row = 0;
    TRY(find_row(&policy_rows, name, length, &row, error));
    for (uint32_t i = 0; i < *count; i++)
        if (policies[i] == policy_at(row))
            return error_set(error, STATUS_USAGE, "policy '%s' is named twice", policies[i]->name);
    policies[(*count)++] = policy_at(row);
    return STATUS_OK;
}

enum status select_policies(const char *list, const struct policy ***policies, uint32_t *count,
                            struct error *error)
{
    *count = 0;
    *policies = NULL;
    if (!list)
        return STATUS_OK;
    TRY(memory_create(policies, strlen(list) / 2 + 1, sizeof **policies, error));
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        enum status status = add_policy(*policies, count, at, strcspn(at, ","), error);
        if (status) {
            memory_free(*policies);
            *policies = NULL;
            return status;
        }
    }
    return STATUS_OK;
}

static enum status load_instance(const struct arguments *arguments, const char *name,
                                 struct instance **instance, struct error *error)
{
    struct instance_options options = {
        .ignore_offsets = arguments->ignore_offsets,
        .onnx = {arguments->bind, arguments->binds, arguments->assume_dimension}};
    if (arguments->dialect)
        options.dialect = csv_dialect_find(arguments->dialect);
    if (arguments->lifetimes)
        csv_lifetimes_find(arguments->lifetimes, &options.lifetimes);
    return instance_load(name, &options, instance, error);
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
    if (arguments->alignment_bytes > 1)
        add_bytes_option(options, OPTIONS_ALIGNMENT, arguments->alignment_bytes);
    if (arguments->inplace && strcmp(arguments->inplace, "none") != 0) {
        options_add(options, OPTIONS_INPLACE, arguments->inplace);
        if (arguments->disable_inplace)
            options_add(options, OPTIONS_DISABLE_INPLACE, arguments->disable_inplace);
    }
    return text_check(options, error);
}

static bool is_selected(const struct selection *selection, const struct instance *wanted)
{
    for (uint32_t i = 0; i < selection->count; i++)
        if (strcmp(selection->instance[i]->name, wanted->name) == 0 &&
            strcmp(selection->instance[i]->digest, wanted->digest) == 0)
            return true;
    return false;
}

static enum status add_instance(const struct arguments *arguments, const char *name,
                                struct selection *selection, struct error *error)
{
    TRY(memory_reserve(&selection->instance, &selection->capacity, (size_t)selection->count + 1,
                       sizeof(struct instance *), error));
    TRY(load_instance(arguments, name, &selection->instance[selection->count], error));
    if (is_selected(selection, selection->instance[selection->count])) {
        instance_free(selection->instance[selection->count]);
        return STATUS_OK;
    }
    selection->count++;
    return STATUS_OK;
}

static enum status refuse_suite(const char *name, size_t length, struct error *error)
{
    struct names suites = {0};
    char wanted[64];
    enum status status = STATUS_OK;
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
    for (uint32_t i = 0; i < suite_count() && !status; i++)
        status = names_add(&suites, suite_at(i)->name, error);
    if (!status)
        status = names_refuse(&suites, "suite", wanted, "memplan list suites", error);
    names_free(&suites);
    return status;
}

enum status select_suite(const char *name, size_t length, const struct suite **suite,
                         struct error *error)
{
    *suite = NULL;
    for (uint32_t i = 0; i < suite_count() && !*suite; i++) {
        const struct suite *known = suite_at(i);
        if (strlen(known->name) == length && strncmp(known->name, name, length) == 0)
            *suite = known;
    }
    if (!*suite)
        return refuse_suite(name, length, error);
    return STATUS_OK;
}

static enum status add_suite(const struct arguments *arguments, const char *name, size_t length,
                             struct selection *selection, struct error *error)
{
    const struct suite *suite;
    TRY(select_suite(name, length, &suite, error));
    for (uint32_t i = 0; i < suite_instances(suite); i++)
        TRY(add_instance(arguments, suite_instance(suite, i), selection, error));
    return STATUS_OK;
}

enum status select_instances(const struct arguments *arguments, struct selection *selection,
                             struct error *error)
{
    const char *suites = arguments->suites;
    *selection = (struct selection){0};
    TRY(select_file_options(arguments, arguments->operand, arguments->operands, error));
    for (const char *at = suites; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        TRY(add_suite(arguments, at, strcspn(at, ","), selection, error));
    for (uint32_t i = 0; i < arguments->operands; i++)
        TRY(add_instance(arguments, arguments->operand[i], selection, error));
    if (!selection->count)
        return error_set(error, STATUS_USAGE, "no instance, expected names, files or --suite");
    return STATUS_OK;
}

void selection_clear(struct selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++)
        instance_free(selection->instance[i]);
    memory_free(selection->instance);
    *selection = (struct selection){0};
}
