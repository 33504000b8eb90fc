#include "harness/catalogue/groups.h"

#include <string.h>

static bool is_word(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(word, name, length) == 0;
}

bool groups_has(const char *word, size_t length, const struct planner *planner)
{
    bool built_in = !planner->content;
    bool ours = strncmp(planner->source, "ours", strlen("ours")) == 0;
    if (is_word(word, length, "ours"))
        return built_in && ours;
    if (is_word(word, length, "published"))
        return built_in && !ours;
    return is_word(word, length, planner->family);
}
