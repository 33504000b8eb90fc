#ifndef MEMPLAN_TESTS_DATASETS_READING_H
#define MEMPLAN_TESTS_DATASETS_READING_H

#include <stdio.h>
#include <stdlib.h>
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
typedef enum status (*reading_function)(const struct text *text, struct error *failed);

/* An input that has to be refused: where, and with what in the message. */
struct reading_fault {
    unsigned line;
    const char *expected;
    const char *input;
};

static inline void reading_check_fault(reading_function read, const struct reading_fault *fault)
{
    struct text text = reading_text(fault->input);
    struct error failed = ERROR_NONE;
    enum status status = read(&text, &failed);
    int matches = status == STATUS_BAD_INPUT && failed.line == fault->line &&
                  strstr(failed.text, fault->expected) && strcmp(failed.file, "test.file") == 0;
    if (!matches)
        printf("\n    wanted line %u '%s', got %d %s:%u: %s\n", fault->line, fault->expected,
               status, failed.file, failed.line, failed.text);
    CU_ASSERT(matches);
    text_free(&text);
}

static inline void reading_check_faults(reading_function read, const struct reading_fault *faults,
                                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        reading_check_fault(read, &faults[i]);
}

/* The cases of cases/NAME.txt, one after another. Each is a line "=== NUMBER: WORDS" and its input,
   up to the next such line: NUMBER is the fault's line, WORDS are what is expected. */
struct reading_cases {
    struct text text;
    char *next;
};

static inline struct reading_cases reading_open(const char *name)
{
    char path[512];
    struct reading_cases cases = {.next = NULL};
    struct error failed;
    snprintf(path, sizeof path, CASES "/%s.txt", name);
    CU_ASSERT_EQUAL_FATAL(text_read_file(path, &cases.text, &failed), STATUS_OK);
    cases.next = cases.text.bytes;
    return cases;
}

/* False behind the last one. The case is borrowed from the cases. */
static inline bool reading_next(struct reading_cases *cases, struct reading_fault *found)
{
    if (!cases->next)
        return false;
    char *words, *input = strchr(cases->next + 1, '\n') + 1;
    found->line = (unsigned)strtoul(cases->next + 4, &words, 10);
    found->expected = words + 2;
    input[-1] = '\0';
    found->input = input;
    char *next = strncmp(input, "=== ", 4) == 0 ? input : strstr(input, "\n=== ");
    if (next)
        next += next > input;
    cases->next = next;
    if (next)
        *next = '\0';
    return true;
}

static inline void reading_check_refused(reading_function read, const char *name)
{
    struct reading_cases cases = reading_open(name);
    struct reading_fault fault;
    while (reading_next(&cases, &fault))
        reading_check_fault(read, &fault);
    text_free(&cases.text);
}

/* The input of the case with these words. */
static inline struct text reading_input(const char *name, const char *words)
{
    struct reading_cases cases = reading_open(name);
    struct reading_fault found = {0};
    bool is_there = false;
    while (!is_there && reading_next(&cases, &found))
        is_there = strcmp(found.expected, words) == 0;
    CU_ASSERT_FATAL(is_there);
    struct text text = reading_text(found.input);
    text_free(&cases.text);
    return text;
}

/* What came of a case has to be what the file says. */
static inline void reading_check_result(const char *name, const char *words, const char *found)
{
    SCOPED(text_free) struct text expected = reading_input(name, words);
    if (strcmp(found, expected.bytes) != 0)
        printf("\n    %s:\n%s", words, found);
    CU_ASSERT_STRING_EQUAL(found, expected.bytes);
}

/* Reads a text and writes what it says. */
typedef enum status reading_rewrite(const struct text *text, struct text *written,
                                    struct error *failed);

/* Cases that are written as they were read; or, where a case of number 2 follows, as that one. */
static inline void reading_check_rewritten(reading_rewrite *rewrite, const char *name)
{
    struct reading_cases cases = reading_open(name);
    struct reading_fault found = {0}, next = {0};
    bool more = reading_next(&cases, &found);
    while (more) {
        struct text text = reading_text(found.input), written = {0};
        struct error failed = ERROR_NONE;
        const char *expected = found.input;
        more = reading_next(&cases, &next);
        CU_ASSERT_EQUAL(rewrite(&text, &written, &failed), STATUS_OK);
        if (more && next.line == 2) {
            expected = next.input;
            more = reading_next(&cases, &next);
        }
        if (failed.status || strcmp(written.bytes, expected) != 0)
            printf("\n    %s: line %u: %s\n%s", found.expected, failed.line, failed.text,
                   written.bytes ? written.bytes : "");
        CU_ASSERT_STRING_EQUAL(written.bytes, expected);
        text_free(&text);
        text_free(&written);
        found = next;
    }
    text_free(&cases.text);
}

/* Makes every allocation of a reading fail once: nothing may leak, and the answer is no memory. */
static inline void reading_check_allocations(reading_function read, const char *input)
{
    enum { ENOUGH_SUCCESSES = 20 };
    struct text text = reading_text(input);
    unsigned failures = 0, succeeded = 0;
    for (uint64_t allowed = 0; succeeded < ENOUGH_SUCCESSES; allowed++) {
        struct error failed = ERROR_NONE;
        uint64_t live = memory_live_blocks();
        memory_fail_after(allowed);
        enum status status = read(&text, &failed);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT_EQUAL(memory_live_blocks(), live);
        CU_ASSERT(status == STATUS_OK || status == STATUS_INTERNAL);
        failures += status != STATUS_OK;
        succeeded += status == STATUS_OK;
        CU_ASSERT(status == STATUS_OK || succeeded == 0);
    }
    CU_ASSERT(failures > 5);
    text_free(&text);
}

static reading_rewrite *reading_rewriter;

static inline enum status reading_rewrite_and_free(const struct text *text, struct error *failed)
{
    SCOPED(text_free) struct text written = {0};
    return reading_rewriter(text, &written, failed);
}

/* What is to be refused of a format, in NAME_refused; and of NAME_rewritten the case "everything",
   which is read and written in little memory. */
static inline void reading_check_format(reading_rewrite *rewrite, const char *name)
{
    char cases[64];
    reading_rewriter = rewrite;
    snprintf(cases, sizeof cases, "%s_refused", name);
    reading_check_refused(reading_rewrite_and_free, cases);
    snprintf(cases, sizeof cases, "%s_rewritten", name);
    reading_check_rewritten(rewrite, cases);
    SCOPED(text_free) struct text text = reading_input(cases, "everything");
    reading_check_allocations(reading_rewrite_and_free, text.bytes);
}

#endif
