#include "harness/catalogue/groups.h"

#include <string.h>

static bool is_word(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(word, name, length) == 0;
}

static bool is_ours(const struct planner *planner)
{
    return strncmp(planner->source, "ours", strlen("ours")) == 0;
}

bool groups_has(const char *word, size_t length, const struct planner *planner)
{
    bool built_in = !planner->content;
    if (is_word(word, length, "ours"))
        return built_in && is_ours(planner);
    if (is_word(word, length, "published"))
        return built_in && !is_ours(planner);
    return is_word(word, length, planner->family);
}
