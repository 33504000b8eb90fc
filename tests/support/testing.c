#include "support/testing.h"

#include <CUnit/Basic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int testing_run(const char *suite, const struct test_case *cases, size_t count)
{
    return testing_run_between(suite, cases, count, NULL, NULL);
}

int testing_run_between(const char *suite, const struct test_case *cases, size_t count,
                        void before(void), void after(void))
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite added = CU_add_suite_with_setup_and_teardown(suite, NULL, NULL, before, after);
    for (size_t i = 0; added && i < count; i++)
        if (!CU_add_test(added, cases[i].name, cases[i].run))
            added = NULL;
    if (!added) {
        CU_cleanup_registry();
        return 1;
    }
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failed = CU_get_number_of_failures() + CU_get_number_of_tests_failed();
    CU_cleanup_registry();
    return failed ? 1 : 0;
}

void testing_skip(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("\nskipped: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

bool testing_dataset(const char *name, char *path, size_t bytes)
{
    const char *folder = getenv("MEMPLAN_DATASETS");
    if (!folder)
        folder = PUBLISHED_DATASETS;
    snprintf(path, bytes, "%s/%s", folder, name);
    if (access(path, R_OK) == 0)
        return true;
    if (access(folder, R_OK) == 0)
        testing_skip("no %s", path);
    else
        testing_skip("published instances and models, no %s (set MEMPLAN_DATASETS)", folder);
    return false;
}
