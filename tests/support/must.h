#ifndef MEMPLAN_TESTS_SUPPORT_MUST_H
#define MEMPLAN_TESTS_SUPPORT_MUST_H

#include <stdio.h>

#include "core/error.h"
#include "support/testing.h"

/* Takes what goes wrong in a call of a test. */
static struct error error;

/* Where the call has failed, prints its error and ends the test case. */
static inline void must(enum status status)
{
    if (status)
        printf("\n%s\n", error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
}

#endif
