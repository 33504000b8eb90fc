#include "support/testing.h"

#include <CUnit/Basic.h>

int testing_run(const char *suite, const struct test_case *cases, size_t count)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite added = CU_add_suite(suite, NULL, NULL);
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
