#include "cli/results/best_filter.h"

#include <string.h>

#include "cli/arguments/select.h"
#include "datasets/suite.h"

enum status best_filter_create(const struct arguments *arguments, struct best_filter *filter,
                               struct error *error)
{
    const char *at = arguments->suites;
    filter->all = !at && !arguments->operands;
    filter->policy = arguments->policies;
    for (; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        const struct suite *suite;
        TRY(suite_select(at, length, &suite, error));
        const char *name;
        for (uint32_t i = 0; (name = suite_instance(suite, i)) != NULL; i++)
            TRY(names_add(&filter->names, name, error));
    }
    for (uint32_t i = 0; i < arguments->operands; i++) {
        /* Adds an instance by its content, since a name with options can be written in several
         * ways. */
        struct instance *instance;
        TRY(select_instance(arguments, arguments->operand[i], &instance, error));
        enum status status = names_add(&filter->digests, instance->digest, error);
        instance_free(instance);
        TRY(status);
    }
    return STATUS_OK;
}

void best_filter_free(struct best_filter *filter)
{
    names_free(&filter->names);
    names_free(&filter->digests);
}

bool best_filter_wants(const struct best_filter *filter, const char *instance, const char *digest,
                       const char *policy)
{
    if (filter->policy && strcmp(filter->policy, policy) != 0)
        return false;
    return filter->all || names_find(&filter->names, instance) != NAMES_NONE ||
           names_find(&filter->digests, digest) != NAMES_NONE;
}
