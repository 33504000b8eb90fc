#include "datasets/side_by_side.h"

#include <string.h>

#include "core/rows.h"
#include "core/text.h"
#include "planning/graph/assign_streams.h"
#include "planning/graph/copy_engine.h"

#define PREFIX "streams:"

enum { MOST = 64 };

struct side_by_side_rule {
    const char *name, *option;
    uint32_t initial;
    enum status (*apply)(struct graph **graph, uint32_t value, struct error *error);
};

static enum status apply_nimble(struct graph **graph, uint32_t value, struct error *error)
{
    return graph_assign_streams(*graph, value, error);
}

static enum status apply_round_robin(struct graph **graph, uint32_t value, struct error *error)
{
    return graph_deal_streams(*graph, value, error);
}

static enum status apply_copy_engine(struct graph **graph, uint32_t value, struct error *error)
{
    struct graph *made;
    TRY(graph_add_copy_engine(*graph, value, &made, error));
    graph_free(*graph);
    *graph = made;
    return STATUS_OK;
}

static const struct side_by_side_rule rules[] = {
    {"nimble", "streams", 4, apply_nimble},
    {"round_robin", "streams", 4, apply_round_robin},
    {"copy_engine", "ahead", 2, apply_copy_engine},
};
enum { RULES = sizeof rules / sizeof *rules };

static const char *get_name(uint32_t index)
{
    return rules[index].name;
}

bool side_by_side_is_name(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

static enum status find_rule(const char *name, size_t length, const struct side_by_side_rule **rule,
                             struct error *error)
{
    for (uint32_t i = 0; i < RULES; i++) {
        *rule = &rules[i];
        if (strlen(get_name(i)) == length && memcmp(get_name(i), name, length) == 0)
            return STATUS_OK;
    }
    return rows_refuse(&(struct rows_kind){"rule", "docs/streams.md", NULL, RULES, get_name}, name,
                       length, error);
}

/* Reads the option from the text between the name of the rule and the colon. */
static enum status read_option(const char *text, size_t length, struct side_by_side *side_by_side,
                               struct error *error)
{
    const struct side_by_side_rule *rule = side_by_side->rule;
    size_t name = strlen(rule->option);
    uint64_t number;
    side_by_side->value = rule->initial;
    if (!length)
        return STATUS_OK;
    if (length > name + 2 && memcmp(text + 1, rule->option, name) == 0 && text[name + 1] == '=' &&
        text_parse_u64(text + name + 2, length - name - 2, &number) && number && number <= MOST) {
        side_by_side->value = (uint32_t)number;
        return STATUS_OK;
    }
    return error_set(error, STATUS_USAGE, "found '%.*s' behind " PREFIX "%s, expected ?%s=1 to %d",
                     (int)length, text, rule->name, rule->option, MOST);
}

enum status side_by_side_parse(const char *name, struct side_by_side *side_by_side,
                               struct error *error)
{
    const char *rule = name + strlen(PREFIX);
    size_t length = strcspn(rule, "?:"), end = strcspn(rule, ":");
    TRY(find_rule(rule, length, &side_by_side->rule, error));
    if (!rule[end] || !rule[end + 1])
        return error_set(error, STATUS_USAGE, "found '%s', expected " PREFIX "%s:NAME of a graph",
                         name, side_by_side->rule->name);
    side_by_side->name = rule + end + 1;
    return read_option(rule + length, end - length, side_by_side, error);
}

enum status side_by_side_apply(const struct side_by_side *side_by_side, struct graph **graph,
                               struct error *error)
{
    if ((*graph)->streams.count > 1)
        return error_set(error, STATUS_USAGE,
                         "'%s' is on several streams already, expected a graph on one",
                         side_by_side->name);
    return side_by_side->rule->apply(graph, side_by_side->value, error);
}
