#ifndef MEMPLAN_TESTS_DATASETS_READING_H
#define MEMPLAN_TESTS_DATASETS_READING_H

#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "support/testing.h"

/* What the tests of readers share. */

static inline struct text reading_text(const char *input)
{
    struct text text = {0};
    text_append_bytes(&text, input, strlen(input));
    return text;
}

/* Reads a text and frees what came of it. */
typedef enum status (*reading_function)(const struct text *text, struct error *error);

/* An input that has to be refused: where, and with what in the message. */
struct reading_fault {
    unsigned line;
    const char *expected;
    const char *input;
};

static inline void reading_check_faults(reading_function read, const struct reading_fault *faults,
                                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct text text = reading_text(faults[i].input);
        struct error error = ERROR_NONE;
        enum status status = read(&text, &error);
        int matches = status == STATUS_BAD_INPUT && error.line == faults[i].line &&
                      strstr(error.text, faults[i].expected) &&
                      strcmp(error.file, "test.file") == 0;
        if (!matches)
            printf("\n    fault %zu: wanted line %u '%s', got %d %s:%u: %s\n", i, faults[i].line,
                   faults[i].expected, status, error.file, error.line, error.text);
        CU_ASSERT(matches);
        text_free(&text);
    }
}

/* Makes every allocation of a reading fail once: nothing may leak, and the answer is no memory. */
static inline void reading_check_allocations(reading_function read, const char *input)
{
    enum { ENOUGH_SUCCESSES = 20 };
    struct text text = reading_text(input);
    unsigned failed = 0, succeeded = 0;
    for (uint64_t allowed = 0; succeeded < ENOUGH_SUCCESSES; allowed++) {
        struct error error = ERROR_NONE;
        uint64_t live = memory_live_blocks();
        memory_fail_after(allowed);
        enum status status = read(&text, &error);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT_EQUAL(memory_live_blocks(), live);
        CU_ASSERT(status == STATUS_OK || status == STATUS_INTERNAL);
        failed += status != STATUS_OK;
        succeeded += status == STATUS_OK;
        CU_ASSERT(status == STATUS_OK || succeeded == 0);
    }
    CU_ASSERT(failed > 5);
    text_free(&text);
}

#endif
