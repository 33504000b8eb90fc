#ifndef MEMPLAN_TESTS_TESTING_H
#define MEMPLAN_TESTS_TESTING_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>

/* A test program is one file: a table of cases and a main that hands it to testing_run. */
struct test_case {
    const char *name;
    void (*run)(void);
};

/* Runs all cases as one CUnit suite; the exit code, 0 when none failed. */
int testing_run(const char *suite, const struct test_case *cases, size_t count);

/* The same with functions that are called before and behind each case. */
int testing_run_between(const char *suite, const struct test_case *cases, size_t count,
                        void before(void), void after(void));

/* Says, on a line of its own, what is not tested here and why. test.sh shows these lines. */
void testing_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* path[bytes]: of a published instance or model, "tflite/nested_while.tflite". None is part of the
   project: they are looked for beside it, or where MEMPLAN_DATASETS says. False, and said, where it
   is missing. */
bool testing_dataset(const char *name, char *path, size_t bytes);

/* How often something random is tried: all in an ordinary build, fewer where sanitizers make it
   slow. Tests that need all of it have the label "long" and are run in both builds. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TESTING_COUNT(all, sanitized) (sanitized)
#else
#define TESTING_COUNT(all, sanitized) (all)
#endif

#define TESTING_MAIN(suite, cases)                                                                 \
    int main(void)                                                                                 \
    {                                                                                              \
        return testing_run(suite, cases, sizeof(cases) / sizeof *(cases));                         \
    }

#endif
