#include "datasets/side_by_side/side_by_side.h"

#include <string.h>

#include "core/rows.h"
#include "core/text.h"
#include "datasets/side_by_side/assign_streams.h"
#include "datasets/side_by_side/copy_engine.h"

#define PREFIX "streams:"

enum { MOST = 64 };

struct side_by_side_rule {
    const char *name, *option;
    uint32_t initial;
    /* NULL: the graph is replaced by one with a copy engine. */
    enum status (*apply)(struct graph *graph, uint32_t value, struct error *error);
};

static const struct side_by_side_rule rules[] = {
    {"nimble", "streams", 4, graph_assign_streams},
    {"round_robin", "streams", 4, graph_deal_streams},
    {"copy_engine", "ahead", 2, NULL},
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

enum status side_by_side_parse(const char *name, struct side_by_side *side_by_side,
                               struct error *error)
{
    const char *text = name + strlen(PREFIX);
    size_t length = strcspn(text, "?:"), end = strcspn(text, ":"), index = 0;
    while (index < RULES &&
           (strlen(rules[index].name) != length || memcmp(rules[index].name, text, length) != 0))
        index++;
    if (index == RULES)
        return rows_refuse(&(struct rows_kind){"rule", "docs/streams.md", NULL, RULES, get_name},
                           text, length, error);
    const struct side_by_side_rule *rule = side_by_side->rule = &rules[index];
    if (!text[end] || !text[end + 1])
        return error_set(error, STATUS_USAGE, "found '%s', expected " PREFIX "%s:NAME of a graph",
                         name, rule->name);
    side_by_side->name = text + end + 1;
    side_by_side->value = rule->initial;
    if (end == length)
        return STATUS_OK;
    /* The option between the name of the rule and the colon. */
    const char *option = text + length;
    size_t bytes = end - length, before = strlen(rule->option) + 2;
    uint64_t number;
    if (bytes >= before && memcmp(option + 1, rule->option, before - 2) == 0 &&
        option[before - 1] == '=' && text_parse_u64(option + before, bytes - before, &number) &&
        number && number <= MOST) {
        side_by_side->value = (uint32_t)number;
        return STATUS_OK;
    }
    return error_set(error, STATUS_USAGE, "found '%.*s' behind " PREFIX "%s, expected ?%s=1 to %d",
                     (int)bytes, option, rule->name, rule->option, MOST);
}

enum status side_by_side_apply(const struct side_by_side *side_by_side, struct graph **graph,
                               struct error *error)
{
    struct graph *made;
    if ((*graph)->streams.count > 1)
        return error_set(error, STATUS_USAGE,
                         "'%s' is on several streams already, expected a graph on one",
                         side_by_side->name);
    if (side_by_side->rule->apply)
        return side_by_side->rule->apply(*graph, side_by_side->value, error);
    TRY(graph_add_copy_engine(*graph, side_by_side->value, &made, error));
    graph_free(*graph);
    *graph = made;
    return STATUS_OK;
}
