#include "datasets/suite.h"

#include <stdbool.h>
#include <string.h>

#include "datasets/instance.h"

static const struct suite suites[] = {
    {"luna", "the five models of the main paper, reconstructed", "luna", false},
    {"worked", "the worked examples of the papers", "paper patent ge", false},
    {"zoo", "published image networks", "zoo", false},
    {"control_flow", "every built-in instance with branches or loops", NULL, true},
    {"all", "every built-in instance", NULL, false},
};

uint32_t suite_count(void)
{
    return sizeof suites / sizeof *suites;
}

const struct suite *suite_at(uint32_t index)
{
    return &suites[index];
}

const struct suite *suite_find(const char *name)
{
    for (uint32_t i = 0; i < suite_count(); i++)
        if (strcmp(suites[i].name, name) == 0)
            return &suites[i];
    return NULL;
}

static bool is_in_folder(const char *name, const char *folders)
{
    size_t length = strcspn(name, "/");
    for (const char *folder = folders; *folder; folder += strspn(folder, " ")) {
        size_t folder_length = strcspn(folder, " ");
        if (folder_length == length && memcmp(folder, name, length) == 0)
            return true;
        folder += folder_length;
    }
    return false;
}

static bool is_member(const struct suite *suite, const struct instance_row *row)
{
    if (suite->only_with_control_flow && !row->has_control_flow)
        return false;
    return !suite->folders || is_in_folder(row->name, suite->folders);
}

uint32_t suite_instances(const struct suite *suite)
{
    uint32_t members = 0;
    for (uint32_t i = 0; i < instance_count(); i++)
        members += is_member(suite, instance_at(i));
    return members;
}

const char *suite_instance(const struct suite *suite, uint32_t index)
{
    for (uint32_t i = 0; i < instance_count(); i++)
        if (is_member(suite, instance_at(i)) && index-- == 0)
            return instance_at(i)->name;
    return NULL;
}
