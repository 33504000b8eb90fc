#include "datasets/suite.h"

#include <string.h>

#include "core/rows.h"
#include "datasets/collection.h"
#include "datasets/instance_table.h"

/* Instances of these folders are only in suites that name the folder. */
static const char apart_folders[] = "wired brought public";

static const struct suite suites[] = {
#include "datasets/suites.def"
};

ROWS_DEFINE(suite, struct suite, suites);
ROWS_DEFINE_FIND(suite, struct suite);
static ROWS_DEFINE_REFUSE(suite, "suite", "memplan list suites");

enum status suite_select(const char *name, size_t length, const struct suite **suite,
                         struct error *error)
{
    for (uint32_t i = 0; i < suite_count(); i++) {
        *suite = suite_at(i);
        if (strlen((*suite)->name) == length && strncmp((*suite)->name, name, length) == 0)
            return STATUS_OK;
    }
    return suite_refuse(name, length, error);
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

/* The index-th name that a suite lists. NULL after the last: then *index is lowered by how many
   names the suite lists. only_others leaves out built-in instances, which a suite of everything has
   by its rule; names with options are made on demand and no built-in instances. */
static const char *find_listed(const struct suite *suite, bool only_others, uint32_t *index)
{
    for (const char *const *name = suite->names; name && *name; name++) {
        bool built_in = false;
        bool may_be = only_others && !strpbrk(*name, ":?");
        for (uint32_t i = 0; may_be && !built_in && i < instance_count(); i++)
            built_in = strcmp(instance_at(i).name, *name) == 0;
        if (!built_in && (*index)-- == 0)
            return *name;
    }
    return NULL;
}

/* The index-th name that a suite which is not apart lists and that is no built-in instance, each
   name counted once. */
static const char *find_in_other_lists(uint32_t index)
{
    for (uint32_t i = 0; i < suite_count(); i++) {
        const char *name;
        if (suites[i].is_apart)
            continue;
        for (uint32_t k = 0, at = 0; (name = find_listed(&suites[i], true, &at)); at = ++k) {
            bool listed_before = false;
            for (uint32_t b = 0; b < i && !listed_before; b++)
                for (const char *const *other = suites[b].is_apart ? NULL : suites[b].names;
                     other && *other && !listed_before; other++)
                    listed_before = strcmp(*other, name) == 0;
            if (!listed_before && index-- == 0)
                return name;
        }
    }
    return NULL;
}

const char *suite_instance(const struct suite *suite, uint32_t index)
{
    if (suite->is_collection)
        return index < collection_count() ? collection_at(index)->name : NULL;
    const char *folders = suite->folders ? suite->folders : apart_folders;
    for (uint32_t i = 0; i < instance_count(); i++) {
        struct instance_row row = instance_at(i);
        bool fits = suite->control_flow == SUITE_ANY ||
                    row.has_control_flow == (suite->control_flow == SUITE_WITH_CONTROL_FLOW);
        if (fits && is_in_folder(row.name, folders) == (suite->folders != NULL) && index-- == 0)
            return row.name;
    }
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
