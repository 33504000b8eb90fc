#include <string.h>

#include "core/random.h"
#include "planning/sizes/sizes.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

/* Parameters n from 1 to 64 and m from 3 to 5. */
static struct symbolic_sizes *create_sizes(void)
{
    struct symbolic_sizes *sizes;
    must(sizes_create(&sizes, &error));
    must(sizes_add_parameter(sizes, "n", 1, 64, &error));
    must(sizes_add_parameter(sizes, "m", 3, 5, &error));
    return sizes;
}

static void test_values(void)
{
    static const struct {
        const char *text, *written; /* NULL: as it was read */
        uint64_t value;             /* at n = 10, m = 4 */
    } rows[] = {
        {"7", NULL, 7},
        {"4*n*m", NULL, 160},
        {" 2 * ( n+m )", "2*(n + m)", 28},
        {"n + m*3 - 2", NULL, 20},
        {"n - 1 + m - 2", NULL, 11},
        {"(n + m) + 1", "n + m + 1", 15},
        {"n + (m + 1)", NULL, 15},
        {"n*(m*2)", NULL, 80},
        {"ceil(n / 4)", NULL, 3},
        {"floor((n + 9) / 4)", NULL, 4},
        {"floor(7*n / 4)", NULL, 17},
        {"align(n, 8)*2", NULL, 32},
        {"max(n, m*3) + max(n, m)", NULL, 22},
        {"ceil(ceil(n / 2)*m / 3)", NULL, 7},
        {"max((n), align(n + m, 16) - 1)", "max(n, align(n + m, 16) - 1)", 15},
    };
    const uint64_t point[2] = {10, 4};
    SCOPED(sizes_release) struct symbolic_sizes *sizes = create_sizes();
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(text_free) struct text text = {0};
        uint64_t value = 0;
        must(sizes_add(sizes, rows[i].text, &error));
        CU_ASSERT_TRUE(sizes_value(sizes, i, point, &value));
        CU_ASSERT_EQUAL(value, rows[i].value);
        sizes_write(sizes, i, false, &text);
        CU_ASSERT_STRING_EQUAL(text.bytes, rows[i].written ? rows[i].written : rows[i].text);
    }
}

static void test_refused(void)
{
    static const struct {
        const char *text, *part; /* of the message */
    } rows[] = {
        {"", "column 1: found the end"},
        {"n +", "column 4: found the end"},
        {"4*k", "column 3: found 'k', expected a number"},
        {"n n", "column 3: found 'n'"},
        {"n / 2", "column 3: found '/'"},
        {"ceil(n)", "column 7: found ')', expected '*' or '/'"},
        {"ceil(n / 0)", "column 10: found '0'"},
        {"ceil(n / m)", "column 10: found 'm', expected a number"},
        {"align(n, m)", "column 10: found 'm'"},
        {"8 - n", "column 5: found 'n', expected a number after '-', as the size would fall"},
        {"99999999999999999999", "column 1: found '99999999999999999999'"},
        {"(n", "column 3: found the end"},
        {"max(n)", "column 6: found ')'"},
        {"n - 1", "2^63 - 1 at n=1,m=3"},
        {"n - 2", "2^63 - 1 at n=1,m=3"},
        {"n*9223372036854775807", "2^63 - 1 at n=64,m=5"},
        {"4611686018427387904*n*m*n", "2^63 - 1 at n=1,m=3"},
    };
    SCOPED(sizes_release) struct symbolic_sizes *sizes = create_sizes();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CU_ASSERT_EQUAL(sizes_add(sizes, rows[i].text, &error), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, rows[i].part));
        CU_ASSERT_EQUAL(sizes->count, 0);
    }
    SCOPED(text_free) struct text deep = {0};
    for (int i = 0; i < 100000; i++)
        text_append(&deep, "(");
    CU_ASSERT_EQUAL(sizes_add(sizes, deep.bytes, &error), STATUS_BAD_INPUT);
    SCOPED(text_free) struct text wide = {0};
    for (int i = 0; i < 100; i++)
        text_append(&wide, "n + (");
    CU_ASSERT_EQUAL(sizes_add(sizes, wide.bytes, &error), STATUS_BAD_INPUT);
}

static void test_parameters(void)
{
    SCOPED(sizes_release) struct symbolic_sizes *sizes = create_sizes();
    CU_ASSERT_EQUAL(sizes_add_parameter(sizes, "n", 1, 2, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(sizes_add_parameter(sizes, "2n", 1, 2, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(sizes_add_parameter(sizes, "", 1, 2, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(sizes_add_parameter(sizes, "k", 3, 2, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(sizes_points(sizes), 64 * 3);
    must(sizes_add_parameter(sizes, "k", 0, INT64_MAX, &error));
    must(sizes_add_parameter(sizes, "l", 0, INT64_MAX, &error));
    CU_ASSERT_EQUAL(sizes_points(sizes), UINT64_MAX);
}

static void test_points(void)
{
    static const char *const refused[] = {"",        "n=1",         "n=1,m=",   "n=1,m=2,n=3",
                                          "n=1,k=2", "n=1,m=2,n=1", "n=-1,m=2", "n,m=2"};
    SCOPED(sizes_release) struct symbolic_sizes *sizes = create_sizes();
    SCOPED(text_free) struct text text = {0};
    uint64_t point[2];
    must(sizes_read_point(sizes, "m=9,n=2", point, &error));
    CU_ASSERT_FALSE(sizes_in_box(sizes, point));
    sizes_write_point(sizes, point, &text);
    CU_ASSERT_STRING_EQUAL(text.bytes, "n=2,m=9");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CU_ASSERT_EQUAL(sizes_read_point(sizes, refused[i], point, &error), STATUS_USAGE);
}

/* A random expression. */
static void draw(struct random_state *random, uint32_t depth, struct text *text)
{
    static const char *const open[] = {"(", "(", "(", "max(", "ceil(", "floor(", "align("};
    static const char *const middle[] = {" + ", " * ", " - 1 + ", ", ", NULL, NULL, NULL};
    uint64_t kind = random_below(random, 7);
    if (!depth || random_below(random, 4) == 0) {
        text_append(text, "%s", random_below(random, 2) ? "n" : "m");
        return;
    }
    text_append(text, "%s", open[kind]);
    if (!middle[kind])
        text_append(text, kind == 6 ? "" : "(");
    draw(random, depth - 1, text);
    if (middle[kind]) {
        text_append(text, "%s", middle[kind]);
        draw(random, depth - 1, text);
    } else {
        text_append(text, kind == 6 ? ", 4" : ") / 3");
    }
    text_append(text, ")");
}

/* What is written is read as the same values, and no value falls where a parameter grows. */
static void test_random(void)
{
    struct random_state random = random_seed(3401);
    for (int round = 0; round < TESTING_COUNT(3000, 300); round++) {
        SCOPED(sizes_release) struct symbolic_sizes *sizes = create_sizes();
        SCOPED(text_free) struct text text = {0};
        SCOPED(text_free) struct text written = {0};
        draw(&random, 4, &text);
        if (sizes_add(sizes, text.bytes, &error)) {
            CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is "));
            continue;
        }
        sizes_write(sizes, 0, false, &written);
        must(sizes_add(sizes, written.bytes, &error));
        for (int i = 0; i < 20; i++) {
            uint64_t point[2] = {1 + random_below(&random, 64), 3 + random_below(&random, 3)};
            uint64_t value = 0, again = 0, more = 0;
            CU_ASSERT_TRUE(sizes_value(sizes, 0, point, &value));
            CU_ASSERT_TRUE(sizes_value(sizes, 1, point, &again));
            CU_ASSERT_EQUAL(value, again);
            point[i % 2]++;
            CU_ASSERT_TRUE(!sizes_value(sizes, 0, point, &more) || more >= value);
        }
    }
}

static enum status build(const void *input, struct error *fault)
{
    SCOPED(sizes_release) struct symbolic_sizes *sizes = NULL;
    SCOPED(sizes_release) struct symbolic_sizes *like = NULL;
    (void)input;
    TRY(sizes_create(&sizes, fault));
    TRY(sizes_add_parameter(sizes, "n", 1, 64, fault));
    TRY(sizes_add(sizes, "max(n, 3) * ceil(n / 2) + 1", fault));
    TRY(sizes_add_number(sizes, 5, fault));
    return sizes_create_like(sizes, &like, fault);
}

static void test_allocations(void)
{
    fail_each(build, NULL);
}

static const struct test_case cases[] = {
    {"values and the texts that are written", test_values},
    {"what is no size is refused with its column", test_refused},
    {"names and ranges of parameters", test_parameters},
    {"points", test_points},
    {"random expressions are read as they are written and fall nowhere", test_random},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("sizes", cases)
