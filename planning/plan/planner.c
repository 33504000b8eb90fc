#include "planning/plan/planner.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

static const struct planner_flag_row flags[PLANNER_FLAGS] = {
    {PLANNER_EXACT, "exact", "may prove a plan optimal or a capacity too small"},
    {PLANNER_NO_WINDOWS, "no_windows", "takes a buffer whole where only a window of it is used"},
    {PLANNER_NO_HOLES, "no_holes", "takes a buffer as live from its first step to its last"},
    {PLANNER_WANTS_START, "wants_start", "starts from the best plan of the heuristics"},
    {PLANNER_RANDOMISED, "randomised", "another seed may give another plan"},
    {PLANNER_POOLED, "pooled", "buffers share whole objects"},
    {PLANNER_SPLITS, "splits", "may lay a buffer in several extents"},
    {PLANNER_UNSAFE, "unsafe", "published, but its plans may be wrong and are then refused"},
    {PLANNER_SEARCHES, "searches", "makes many plans, within the time limit"},
    {PLANNER_DEVICES, "devices", "keeps tensors of different devices apart"},
    {PLANNER_CLOCKS, "clocks", "plans many buffers of several streams without listing conflicts"},
};

enum { MOST_NAME_BYTES = 64 };

bool planner_is_name(const char *name, size_t length)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    return length > 0 && length <= MOST_NAME_BYTES && strspn(name, allowed) >= length;
}

const struct planner_flag_row *planner_flag_at(uint32_t index)
{
    assert(index < PLANNER_FLAGS);
    return &flags[index];
}

bool planner_can_plan(const struct planner *planner, const struct problem *problem)
{
    assert(planner->plan);
    return !problem_is_by_clocks(problem) || planner->flags & PLANNER_CLOCKS;
}

enum status planner_plan(const struct planner *planner, const struct planner_task *task,
                         struct plan *plan, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct planner_task own = *task;
    own.scratch = &scratch;
    assert(plan->buffers == task->problem->buffers);
    if (!planner_can_plan(planner, task->problem)) {
        plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    return planner->plan(planner, &own, plan, error);
}

uint64_t planner_option_value(const struct planner *planner, uint32_t index)
{
    assert(planner->options && index < PLANNER_MOST_OPTIONS);
    return planner->option_values ? planner->option_values[index] : planner->options[index].initial;
}

/* Appends which values the index-th option may have: 0..5, or glpk|cbc. */
static void describe_option(const struct planner *planner, uint32_t index, struct text *text)
{
    assert(planner->options && index < PLANNER_MOST_OPTIONS);
    const struct planner_option *option = &planner->options[index];
    const char *const *words = index == 0 ? planner->words : NULL;
    for (uint32_t i = 0; words && words[i]; i++)
        text_append(text, "%s%s", i ? "|" : "", words[i]);
    if (!words)
        text_append(text, "%llu..%llu", (unsigned long long)option->least,
                    (unsigned long long)option->most);
}

/* The copy comes first, so that freeing it frees all. */
struct configured {
    struct planner planner;
    uint64_t value[PLANNER_MOST_OPTIONS];
    char name[192];
    const char *kind; /* what messages call it: "planner" */
};

static bool parse_setting(const struct planner *planner, uint32_t index, const char *item,
                          size_t length, uint64_t *value)
{
    assert(index < PLANNER_MOST_OPTIONS);
    const struct planner_option *row = &planner->options[index];
    const char *const *words = index == 0 ? planner->words : NULL;
    char number[32];
    size_t name_length = strlen(row->name);
    assert(row->least <= row->initial && row->initial <= row->most);
    if (length <= name_length || strncmp(item, row->name, name_length) != 0 ||
        item[name_length] != '=' || length - name_length > sizeof number)
        return false;
    size_t digits = length - name_length - 1;
    memcpy(number, item + name_length + 1, digits);
    number[digits] = '\0';
    for (*value = 0; words && words[*value]; ++*value)
        if (strcmp(number, words[*value]) == 0)
            return true;
    return !words && text_parse_bytes(number, value) && *value >= row->least && *value <= row->most;
}

static enum status set_value(struct configured *configured, const char *item, size_t length,
                             struct error *error)
{
    assert(length == strcspn(item, "&"));
    const struct planner_option *rows = configured->planner.options;
    SCOPED(text_free) struct text known = {0};
    for (uint32_t i = 0; rows && rows[i].name; i++)
        if (parse_setting(&configured->planner, i, item, length, &configured->value[i]))
            return STATUS_OK;
    for (uint32_t i = 0; rows && rows[i].name; i++) {
        text_append(&known, "%s%s=", i ? ", " : "", rows[i].name);
        describe_option(&configured->planner, i, &known);
    }
    return error_set(error, STATUS_USAGE, "found '%.*s' as an option of %s %s, expected %s",
                     (int)length, item, configured->kind, configured->planner.name,
                     known.bytes ? known.bytes : "none");
}

static enum status set_values(struct configured *configured, const char *settings,
                              struct error *error)
{
    assert(configured->kind && settings);
    struct planner *planner = &configured->planner;
    int length =
        snprintf(configured->name, sizeof configured->name, "%s?%s", planner->name, settings);
    if (length < 0 || (size_t)length >= sizeof configured->name)
        return error_set(error, STATUS_USAGE, "too many settings of %s %s", configured->kind,
                         planner->name);
    for (uint32_t i = 0; planner->options && planner->options[i].name; i++)
        configured->value[i] = planner_option_value(planner, i);
    for (const char *item = settings; item;
         item = strchr(item, '&') ? strchr(item, '&') + 1 : NULL) {
        TRY(set_value(configured, item, strcspn(item, "&"), error));
        if (text_repeats_name(settings, item, '&'))
            return error_set(error, STATUS_USAGE,
                             "option %.*s of %s %s is given twice, expected once",
                             (int)strcspn(item, "="), item, configured->kind, planner->name);
    }
    planner->option_values = configured->value;
    planner->name = configured->name;
    return STATUS_OK;
}

enum status planner_configure_as(const char *kind, const struct planner *planner,
                                 const char *settings, struct planner **created,
                                 struct error *error)
{
    SCOPED(memory_release) struct configured *configured = NULL;
    assert(planner->options || !planner->option_values);
    TRY(memory_create(&configured, 1, sizeof *configured, error));
    configured->kind = kind;
    configured->planner = *planner;
    if (settings)
        TRY(set_values(configured, settings, error));
    *created = &configured->planner;
    configured = NULL;
    return STATUS_OK;
}

enum status planner_configure(const struct planner *planner, const char *settings,
                              struct planner **created, struct error *error)
{
    return planner_configure_as("planner", planner, settings, created, error);
}

void planner_free(struct planner *configured)
{
    memory_free(configured);
}
