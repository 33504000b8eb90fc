#include "datasets/suite.h"

#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "datasets/instance.h"
#include "datasets/reading.h"
#include "support/must.h"

/* Digests of everything in nightly, so that a generator or a network that changes is noticed.
   MEMPLAN_WRITE_GOLDEN=1 writes the file again. */

static void append_digest(const char *name, struct text *text)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    enum status status = instance_load(name, NULL, &instance, &error);
    if (status)
        printf("\n    %s: %s\n", name, error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
    text_append(text, "%s,%s\n", name, instance->digest);
}

/* Each instance once, or one in `every`: nightly has them all. */
static struct text make_digests(uint32_t every)
{
    const struct suite *suite = suite_find("nightly");
    struct text text = {0};
    text_append(&text, "instance,digest\n");
    for (uint32_t i = 0; i < suite_instances(suite); i += every)
        append_digest(suite_instance(suite, i), &text);
    return text;
}

/* Lines that only one side has. */
static void print_missing(const struct text *from, const struct text *in, const char *sign)
{
    struct text_line line = {0};
    while (text_next_line(from, &line)) {
        char copy[512];
        snprintf(copy, sizeof copy, "%.*s\n", (int)line.length, line.start);
        if (!strstr(in->bytes, copy))
            printf("\n    %s %s", sign, copy);
    }
}

/* The header, and one in `every` of the lines below it. */
static struct text keep_lines(const struct text *all, uint32_t every)
{
    struct text kept = {0};
    struct text_line line = {0};
    for (uint32_t i = 0; text_next_line(all, &line); i++)
        if (i == 0 || (i - 1) % every == 0)
            text_append(&kept, "%.*s\n", (int)line.length, line.start);
    return kept;
}

static void test_digests(void)
{
    const char *rewrite = getenv("MEMPLAN_WRITE_GOLDEN");
    bool rewrites = rewrite && strcmp(rewrite, "1") == 0;
    uint32_t every = rewrites ? 1 : TESTING_COUNT(1, 8);
    SCOPED(text_free) struct text found = make_digests(every);
    SCOPED(text_free) struct text golden = {0};
    if (rewrites)
        CU_ASSERT_EQUAL_FATAL(text_write_file(GOLDEN_SUITES, &found, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(text_read_file(GOLDEN_SUITES, &golden, &error), STATUS_OK);
    SCOPED(text_free) struct text expected = keep_lines(&golden, every);
    print_missing(&expected, &found, "-");
    print_missing(&found, &expected, "+");
    CU_ASSERT_STRING_EQUAL(found.bytes, expected.bytes);
}

/* The names of a suite, or of all that are neither apart nor lists of others'. */
static void add_names(const struct suite *only, struct names *names)
{
    const char *name;
    for (uint32_t s = 0; s < suite_count(); s++) {
        const struct suite *suite = suite_at(s);
        bool is_taken = only ? suite == only : !suite->is_apart && !suite->with_other_lists;
        for (uint32_t i = 0; is_taken && (name = suite_instance(suite, i)); i++)
            must(names_add(names, name, &error));
    }
}

/* But not what only suites that are apart list. */
static void test_nightly_is_everything(void)
{
    SCOPED(names_free) struct names nightly = {0}, others = {0};
    uint32_t apart = 0;
    add_names(suite_find("nightly"), &nightly);
    add_names(NULL, &others);
    for (uint32_t s = 0; s < suite_count(); s++) {
        const char *name;
        for (uint32_t i = 0; (name = suite_instance(suite_at(s), i)); i++)
            CU_ASSERT_EQUAL(names_find(&nightly, name) != NAMES_NONE,
                            !suite_at(s)->is_apart || names_find(&others, name) != NAMES_NONE);
        apart += suite_at(s)->is_apart;
    }
    CU_ASSERT_EQUAL(apart, 14);
}

static void test_each_once(void)
{
    for (uint32_t s = 0; s < suite_count(); s++) {
        SCOPED(names_free) struct names names = {0};
        const char *name;
        for (uint32_t i = 0; (name = suite_instance(suite_at(s), i)); i++) {
            CU_ASSERT_EQUAL(names_find(&names, name), NAMES_NONE);
            must(names_add(&names, name, &error));
        }
    }
}

static const struct test_case cases[] = {
    {"digests", test_digests},
    {"nightly is everything", test_nightly_is_everything},
    {"no instance twice", test_each_once},
};

TESTING_MAIN("datasets/suites", cases)
