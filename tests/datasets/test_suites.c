#include "datasets/suite.h"
#include "support/must.h"

#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "datasets/instance.h"
#include "datasets/reading.h"

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
        must(text_write_file(GOLDEN_SUITES, &found, &error));
    must(text_read_file(GOLDEN_SUITES, &golden, &error));
    SCOPED(text_free) struct text expected = keep_lines(&golden, every);
    print_missing(&expected, &found, "-");
    print_missing(&found, &expected, "+");
    CU_ASSERT_STRING_EQUAL(found.bytes, expected.bytes);
}

/* The suite's names are found by a walk over all instances, so each walk is made once. */
static void add_names(struct names *names, const struct suite *suite)
{
    const char *name;
    for (uint32_t i = 0; (name = suite_instance(suite, i)); i++)
        must(names_add(names, name, &error));
}

static bool is_in(const struct names *names, const char *name)
{
    return names_find(names, name) != NAMES_NONE;
}

/* But not what only suites that are apart list. */
static void test_nightly_is_everything(void)
{
    uint32_t apart = 0;
    SCOPED(names_free) struct names nightly = {0};
    SCOPED(names_free) struct names listed = {0};
    add_names(&nightly, suite_find("nightly"));
    for (uint32_t s = 0; s < suite_count(); s++)
        if (!suite_at(s)->is_apart && !suite_at(s)->with_other_lists)
            add_names(&listed, suite_at(s));
    for (uint32_t s = 0; s < suite_count(); s++) {
        SCOPED(names_free) struct names names = {0};
        add_names(&names, suite_at(s));
        for (uint32_t i = 0; i < names.count; i++) {
            const char *name = names_get(&names, i);
            CU_ASSERT_EQUAL(is_in(&nightly, name), !suite_at(s)->is_apart || is_in(&listed, name));
        }
        apart += suite_at(s)->is_apart;
    }
    CU_ASSERT_EQUAL(apart, 14);
}

static void test_each_once(void)
{
    for (uint32_t s = 0; s < suite_count(); s++) {
        SCOPED(names_free) struct names names = {0};
        add_names(&names, suite_at(s));
        for (uint32_t i = 0; i < names.count; i++)
            CU_ASSERT_EQUAL(names_find(&names, names_get(&names, i)), i);
    }
}

static const struct test_case cases[] = {
    {"digests", test_digests},
    {"nightly is everything", test_nightly_is_everything},
    {"no instance twice", test_each_once},
};

TESTING_MAIN("datasets/suites", cases)
