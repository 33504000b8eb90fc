#include "datasets/suite.h"

#include <stdbool.h>
#include <string.h>

#include "core/rows.h"
#include "datasets/instance_table.h"

/* Instances of these folders are only in suites that name the folder. */
static const char apart_folders[] = "wired";

static const struct suite suites[] = {
#include "datasets/suites.def"
};

ROWS_DEFINE(suite, struct suite, suites);
ROWS_DEFINE_FIND(suite, struct suite);

enum status suite_select(const char *name, size_t length, const struct suite **suite,
                         struct error *error)
{
    for (uint32_t i = 0; i < suite_count(); i++) {
        *suite = suite_at(i);
        if (strlen((*suite)->name) == length && strncmp((*suite)->name, name, length) == 0)
            return STATUS_OK;
    }
    return rows_refuse(
        &(struct rows_kind){"suite", "memplan list suites", NULL, suite_count(), suite_name}, name,
        length, error);
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

static bool is_member(const struct suite *suite, struct instance_row row)
{
    if (suite->control_flow != SUITE_ANY &&
        row.has_control_flow != (suite->control_flow == SUITE_WITH_CONTROL_FLOW))
        return false;
    if (!suite->folders)
        return !is_in_folder(row.name, apart_folders);
    return is_in_folder(row.name, suite->folders);
}

/* Whether a name is in the table of built-in instances. Names with options are made on demand and
   are in no table. */
static bool is_built_in(const char *name)
{
    if (strpbrk(name, ":?"))
        return false;
    for (uint32_t i = 0; i < instance_count(); i++)
        if (strcmp(instance_at(i).name, name) == 0)
            return true;
    return false;
}

/* The index-th name that a suite lists, NULL after the last; *index is less then by the names there
 * were. only_others leaves out built-in instances, which a suite of everything has by its rule. */
static const char *find_listed(const struct suite *suite, bool only_others, uint32_t *index)
{
    for (const char *const *name = suite->names; name && *name; name++)
        if ((!only_others || !is_built_in(*name)) && (*index)-- == 0)
            return *name;
    return NULL;
}

static bool is_listed_before(uint32_t suites_before, const char *name)
{
    for (uint32_t i = 0; i < suites_before; i++)
        for (const char *const *other = suites[i].names; !suites[i].is_apart && other && *other;
             other++)
            if (strcmp(*other, name) == 0)
                return true;
    return false;
}

/* The index-th name that a suite which is not apart lists and that is no built-in instance, each
 * name counted once. */
static const char *find_in_other_lists(uint32_t index)
{
    for (uint32_t i = 0; i < suite_count(); i++) {
        const char *name;
        if (suites[i].is_apart)
            continue;
        for (uint32_t k = 0, at = 0; (name = find_listed(&suites[i], true, &at)); at = ++k)
            if (!is_listed_before(i, name) && index-- == 0)
                return name;
    }
    return NULL;
}

const char *suite_instance(const struct suite *suite, uint32_t index)
{
    for (uint32_t i = 0; i < instance_count(); i++)
        if (is_member(suite, instance_at(i)) && index-- == 0)
            return instance_at(i).name;
    const char *listed = find_listed(suite, false, &index);
    return listed || !suite->with_other_lists ? listed : find_in_other_lists(index);
}

uint32_t suite_instances(const struct suite *suite)
{
    uint32_t members = 0;
    while (suite_instance(suite, members))
        members++;
    return members;
}
