#ifndef MEMPLAN_TESTS_DATASETS_LOADING_H
#define MEMPLAN_TESTS_DATASETS_LOADING_H

#include "datasets/instance.h"
#include "support/must.h"

/* The instance of that name, or the test case ends; the caller frees it. */
static inline struct instance *load(const char *name)
{
    struct instance *instance = NULL;
    enum status status = instance_load(name, NULL, &instance, &error);
    if (status)
        printf("\n    %s: %s:%u\n", name, error.file, error.line);
    must(status);
    return instance;
}

/* Loads and frees the instance whose name the text is, for reading_check_allocations. */
static inline enum status load_and_free(const struct text *name, struct error *failed)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    return instance_load(name->bytes, NULL, &instance, failed);
}

#endif
