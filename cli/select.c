#include "cli/select.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "datasets/suite.h"
#include "harness/planners.h"

/* A table of named rows. */
struct rows {
    const char *kind;
    uint32_t (*count)(void);
    const void *(*at)(uint32_t index);
    const char *(*name)(const void *row);
};

static const void *get_planner(uint32_t index)
{
    return planners_at(index);
}

static const char *get_planner_name(const void *row)
{
    return ((const struct planner *)row)->name;
}

static const void *get_policy(uint32_t index)
{
    return policy_at(index);
}

static const char *get_policy_name(const void *row)
{
    return ((const struct policy *)row)->name;
}

static const void *get_inplace(uint32_t index)
{
    return inplace_at(index);
}

static const char *get_inplace_name(const void *row)
{
    return ((const struct inplace_rules *)row)->name;
}

static const struct rows inplace_rows = {"in-place rules", inplace_count, get_inplace,
                                         get_inplace_name};
static const struct rows planner_rows = {"planner", planners_count, get_planner, get_planner_name};
static const struct rows policy_rows = {"policy", policy_count, get_policy, get_policy_name};

static enum status report_unknown(const struct rows *rows, const char *name, size_t length,
                                  struct error *error)
{
    struct text known = {0};
    for (uint32_t i = 0; i < rows->count(); i++)
        text_append(&known, "%s%s", i ? ", " : "", rows->name(rows->at(i)));
    error_set(error, STATUS_USAGE, "no %s '%.*s', expected one of: %s", rows->kind, (int)length,
              name, known.bytes ? known.bytes : "");
    text_free(&known);
    return STATUS_USAGE;
}

static enum status find_row(const struct rows *rows, const char *name, size_t length,
                            const void **row, struct error *error)
{
    for (uint32_t i = 0; i < rows->count(); i++) {
        const char *known = rows->name(rows->at(i));
        if (strlen(known) == length && strncmp(known, name, length) == 0) {
            *row = rows->at(i);
            return STATUS_OK;
        }
    }
    return report_unknown(rows, name, length, error);
}

/* "name" or "name?setting=value&..". */
static enum status find_planner(const char *name, size_t length, struct planner **planner,
                                struct error *error)
{
    const void *row;
    struct text settings = {0};
    const char *mark = memchr(name, '?', length);
    size_t row_length = mark ? (size_t)(mark - name) : length;
    TRY(find_row(&planner_rows, name, row_length, &row, error));
    if (mark)
        text_append_bytes(&settings, mark + 1, length - row_length - 1);
    enum status status = text_check(&settings, error);
    if (!status)
        status = planner_configure(row, mark ? settings.bytes : NULL, planner, error);
    text_free(&settings);
    return status;
}

enum status select_planner(const char *name, struct planner **planner, struct error *error)
{
    if (!name)
        name = "large_first";
    return find_planner(name, strlen(name), planner, error);
}

enum status select_policy(const char *name, const struct policy **policy, struct error *error)
{
    const void *row;
    if (!name)
        name = "flat";
    TRY(find_row(&policy_rows, name, strlen(name), &row, error));
    *policy = row;
    return STATUS_OK;
}

enum status select_inplace(const struct arguments *arguments, struct inplace_choice *choice,
                           struct error *error)
{
    const char *name = arguments->inplace;
    const void *row = NULL;
    if (name)
        TRY(find_row(&inplace_rows, name, strlen(name), &row, error));
    else if (arguments->disable_inplace)
        return error_set(error, STATUS_USAGE, "--disable-inplace without --inplace RULES");
    *choice = (struct inplace_choice){row, arguments->disable_inplace};
    return STATUS_OK;
}

static enum status select_list(const struct rows *rows, const char *list, const void ***selected,
                               uint32_t *count, struct error *error)
{
    size_t most = strlen(list) / 2 + 1;
    TRY(memory_create(selected, most, sizeof **selected, error));
    *count = 0;
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        enum status status = find_row(rows, at, strcspn(at, ","), &(*selected)[*count], error);
        if (status) {
            memory_free(*selected);
            *selected = NULL;
            return status;
        }
        ++*count;
    }
    return STATUS_OK;
}

static enum status add_planner(struct planner_list *planners, const char *name, size_t length,
                               struct error *error)
{
    TRY(memory_reserve(&planners->planner, &planners->capacity, (size_t)planners->count + 1,
                       sizeof *planners->planner, error));
    TRY(find_planner(name, length, &planners->planner[planners->count], error));
    planners->count++;
    return STATUS_OK;
}

enum status select_planners(const char *list, struct planner_list *planners, struct error *error)
{
    for (uint32_t i = 0; !list && i < planners_count(); i++)
        TRY(add_planner(planners, planners_at(i)->name, strlen(planners_at(i)->name), error));
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        TRY(add_planner(planners, at, strcspn(at, ","), error));
    return STATUS_OK;
}

void planner_list_clear(struct planner_list *planners)
{
    for (uint32_t i = 0; i < planners->count; i++)
        planner_free(planners->planner[i]);
    memory_free(planners->planner);
    *planners = (struct planner_list){0};
}

enum status select_policies(const char *list, const struct policy ***rows, uint32_t *count,
                            struct error *error)
{
    const void **selected = NULL;
    *count = 0;
    enum status status =
        list ? select_list(&policy_rows, list, &selected, count, error) : STATUS_OK;
    *rows = (const struct policy **)selected;
    return status;
}

enum status select_instance(const struct arguments *arguments, const char *name,
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

static void add_option(char text[SELECT_MOST_OPTIONS], const char *name, const char *value)
{
    size_t used = strlen(text);
    snprintf(text + used, SELECT_MOST_OPTIONS - used, "%s%s=%s", used ? " " : "", name, value);
}

static void add_bytes_option(char text[SELECT_MOST_OPTIONS], const char *name, uint64_t bytes)
{
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)bytes);
    add_option(text, name, number);
}

void select_options(const struct arguments *arguments, char text[SELECT_MOST_OPTIONS])
{
    text[0] = '\0';
    if (arguments->capacity_bytes != UINT64_MAX)
        add_bytes_option(text, "capacity", arguments->capacity_bytes);
    if (arguments->alignment_bytes > 1)
        add_bytes_option(text, "alignment", arguments->alignment_bytes);
    if (!arguments->inplace || strcmp(arguments->inplace, "none") == 0)
        return;
    add_option(text, "inplace", arguments->inplace);
    if (arguments->disable_inplace)
        add_option(text, "disable_inplace", arguments->disable_inplace);
}

/* Files of the same name in different folders must not become one row. */
static enum status rename_namesakes(struct selection *selection, const char *path,
                                    struct error *error)
{
    struct instance *added = selection->instance[selection->count];
    for (uint32_t i = 0; i < selection->count; i++) {
        const struct instance *other = selection->instance[i];
        if (strcmp(other->name, added->name) != 0 || strcmp(other->digest, added->digest) == 0)
            continue;
        char *name = memory_copy_text(path);
        if (!name)
            return error_no_memory(error);
        memory_free(added->name);
        added->name = name;
        return STATUS_OK;
    }
    return STATUS_OK;
}

static enum status add_instance(const struct arguments *arguments, const char *name,
                                struct selection *selection, struct error *error)
{
    TRY(memory_reserve(&selection->instance, &selection->capacity, (size_t)selection->count + 1,
                       sizeof(struct instance *), error));
    TRY(select_instance(arguments, name, &selection->instance[selection->count], error));
    enum status status = rename_namesakes(selection, name, error);
    selection->count++;
    return status;
}

static enum status find_suite(const char *name, const struct suite **suite, struct error *error)
{
    *suite = suite_find(name);
    if (!*suite)
        return error_set(error, STATUS_USAGE, "no suite '%s', memplan list suites names them",
                         name);
    return STATUS_OK;
}

enum status select_instances(const struct arguments *arguments, struct selection *selection,
                             struct error *error)
{
    const struct suite *suite = NULL;
    *selection = (struct selection){0};
    if (arguments->suite)
        TRY(find_suite(arguments->suite, &suite, error));
    for (uint32_t i = 0; suite && i < suite_instances(suite); i++)
        TRY(add_instance(arguments, suite_instance(suite, i), selection, error));
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
