#include "support/fail_each.h"

#include <stdbool.h>

#include "core/memory.h"
#include "support/testing.h"

/* An allocation is still to fail: one of the next few does. */
static bool failure_is_pending(uint64_t within)
{
    bool failed = false;
    for (uint64_t i = 0; i <= within && !failed; i++) {
        void *block = memory_allocate(1, 1);
        failed = block == NULL;
        memory_free(block);
    }
    return failed;
}

void fail_each(fail_each_work *run, const void *input)
{
    for (uint64_t n = 0;; n++) {
        struct error error = ERROR_NONE;
        uint64_t live = memory_live_blocks();
        memory_fail_after(n);
        enum status status = run(input, &error);
        bool unused = status == STATUS_OK && failure_is_pending(n);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT_EQUAL_FATAL(memory_live_blocks(), live);
        if (unused) {
            CU_ASSERT_TRUE(n > 0);
            return;
        }
        CU_ASSERT_EQUAL_FATAL(status, STATUS_INTERNAL);
        CU_ASSERT_EQUAL(error.status, STATUS_INTERNAL);
        CU_ASSERT_STRING_EQUAL(error.text, "out of memory");
    }
}
