#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "support/testing.h"

static struct error error;

static void test_append(void)
{
    struct text text = {0};
    text_append(&text, "%s=%d", "a", 1);
    text_append(&text, "%s", "");
    text_append_bytes(&text, ";b=2xxx", 4);
    CU_ASSERT_EQUAL(text_check(&text, &error), STATUS_OK);
    CU_ASSERT_EQUAL(text.length, 7);
    CU_ASSERT_STRING_EQUAL(text.bytes, "a=1;b=2");
    text_free(&text);
    CU_ASSERT_PTR_NULL(text.bytes);
    CU_ASSERT_EQUAL(text.length, 0);
}

static void test_append_much(void)
{
    struct text text = {0};
    for (int i = 0; i < 20000; i++)
        text_append(&text, "%04d,", i % 10000);
    CU_ASSERT_EQUAL_FATAL(text_check(&text, &error), STATUS_OK);
    CU_ASSERT_EQUAL(text.length, 100000);
    CU_ASSERT_EQUAL(strlen(text.bytes), 100000);
    CU_ASSERT_EQUAL(memcmp(text.bytes + 5 * 12345, "2345,", 5), 0);
    text_free(&text);
}

/* After the first failure nothing is written any more, though there is memory again. */
static void test_append_without_memory(void)
{
    struct text text = {0};
    text_append(&text, "kept");
    memory_fail_after(0);
    text_append(&text, "%1000s", "lost");
    text_append(&text, "x");
    text_append_bytes(&text, "y", 1);
    CU_ASSERT_EQUAL(text_check(&text, &error), STATUS_INTERNAL);
    CU_ASSERT_STRING_EQUAL(error.text, "out of memory");
    CU_ASSERT_STRING_EQUAL(text.bytes, "kept");
    CU_ASSERT_EQUAL(text.length, 4);
    text_free(&text);
}

/* Lines are written with a | after each. */
static void expect_lines(const char *bytes, const char *expected)
{
    struct text text = {0}, lines = {0};
    struct text_line line = {0};
    unsigned number = 0;
    text_append_bytes(&text, bytes, strlen(bytes));
    text_append(&lines, "%s", "");
    while (text_next_line(&text, &line)) {
        CU_ASSERT_EQUAL(line.number, ++number);
        text_append_bytes(&lines, line.start, line.length);
        text_append(&lines, "|");
    }
    if (strcmp(lines.bytes, expected) != 0)
        printf("\nfound %s, expected %s\n", lines.bytes, expected);
    CU_ASSERT_STRING_EQUAL(lines.bytes, expected);
    text_free(&text);
    text_free(&lines);
}

static void test_lines(void)
{
    expect_lines("a\nb\n", "a|b|");
    expect_lines("a\nb", "a|b|");
    expect_lines("a\r\nb\r\n", "a|b|");
    expect_lines("a\r\nb\nc", "a|b|c|");
    expect_lines("a", "a|");
}

static void test_blank_lines(void)
{
    expect_lines("", "");
    expect_lines("\n", "|");
    expect_lines("\r\n", "|");
    expect_lines("\n\n\na", "|||a|");
    expect_lines("\n\r\n\na\n\n", "|||a||");
}

/* A carriage return is part of a line end only right before a line feed or at the very end. */
static void test_carriage_returns(void)
{
    expect_lines("a\rb\n", "a\rb|");
    expect_lines("a\r\r\nb", "a\r|b|");
    expect_lines("a\r", "a|");
    expect_lines("a\n\rb\n", "a|\rb|");
}

static void test_lines_of_nothing(void)
{
    struct text text = {0};
    struct text_line line = {0};
    CU_ASSERT_FALSE(text_next_line(&text, &line));
    CU_ASSERT_FALSE(text_next_line(&text, &line));
}

static bool parse_u64(const char *text, uint64_t *value)
{
    return text_parse_u64(text, strlen(text), value);
}

static void test_u64(void)
{
    uint64_t value;
    CU_ASSERT_TRUE(parse_u64("0", &value) && value == 0);
    CU_ASSERT_TRUE(parse_u64("007", &value) && value == 7);
    CU_ASSERT_TRUE(parse_u64("18446744073709551615", &value) && value == UINT64_MAX);
    CU_ASSERT_TRUE(text_parse_u64("123x", 3, &value) && value == 123);
}

static bool parse_i64(const char *text, int64_t *value)
{
    return text_parse_i64(text, strlen(text), value);
}

static void test_i64(void)
{
    int64_t value;
    CU_ASSERT_TRUE(parse_i64("0", &value) && value == 0);
    CU_ASSERT_TRUE(parse_i64("-0", &value) && value == 0);
    CU_ASSERT_TRUE(parse_i64("-12", &value) && value == -12);
    CU_ASSERT_TRUE(parse_i64("9223372036854775807", &value) && value == INT64_MAX);
    CU_ASSERT_TRUE(parse_i64("-9223372036854775808", &value) && value == INT64_MIN);
    CU_ASSERT_TRUE(text_parse_i64("-123", 2, &value) && value == -1);
}

static void test_bytes(void)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } rows[] = {{"0", 0},
                {"7", 7},
                {"3k", 3000},
                {"3M", 3000000},
                {"3G", 3000000000},
                {"3KiB", 3072},
                {"3MiB", 3145728},
                {"3GiB", 3221225472},
                {"17179869183GiB", UINT64_MAX - 1073741823},
                {"18446744073709551615", UINT64_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t bytes;
        CU_ASSERT_TRUE(text_parse_bytes(rows[i].text, &bytes));
        CU_ASSERT_EQUAL(bytes, rows[i].bytes);
    }
}

static bool is_u64(const char *text)
{
    uint64_t value;
    return parse_u64(text, &value);
}

static bool is_i64(const char *text)
{
    int64_t value;
    return parse_i64(text, &value);
}

static bool is_bytes(const char *text)
{
    uint64_t bytes;
    return text_parse_bytes(text, &bytes);
}

/* Texts that a parser refuses, with a | after each. */
static const struct {
    bool (*accepts)(const char *text);
    const char *refused;
} refusals[] = {
    {is_u64, "|-1|+1| 1|1 |1.0|0x1|1e3|a|18446744073709551616|99999999999999999999|"
             "184467440737095516150|"},
    {is_i64, "|-|--1|+1|-1 |9223372036854775808|-9223372036854775809|-18446744073709551616|"},
    {is_bytes, "|k|KiB|1 k|1K|1kb|1kib|-1k|1.5G|1k |1KiBs|1T|17179869184GiB|18446744073709552k|"
               "18446744073709551616|"},
};

static void test_refusals(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        for (const char *at = refusals[i].refused; *at; at = strchr(at, '|') + 1) {
            char text[32];
            snprintf(text, sizeof text, "%.*s", (int)(strchr(at, '|') - at), at);
            CU_ASSERT_FALSE(refusals[i].accepts(text));
        }
}

static void test_repeated_names(void)
{
    static const char with_commas[] = "x,x=2", list[] = "a=1&ab=2&a=3&b&b=4&=1&";
    static const struct {
        size_t start;
        bool repeated;
    } items[] = {{0, false}, {4, false}, {9, true}, {13, false}, {15, true}, {19, false}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        CU_ASSERT_EQUAL(text_repeats_name(list, list + items[i].start, '&'), items[i].repeated);
    /* Two items without a name. */
    CU_ASSERT_TRUE(text_repeats_name(list, list + sizeof list - 1, '&'));
    CU_ASSERT_TRUE(text_repeats_name(with_commas, with_commas + 2, ','));
}

static void test_distance(void)
{
    static const struct {
        const char *left, *right;
        unsigned distance;
    } rows[] = {{"", "", 0},
                {"", "abc", 3},
                {"abc", "", 3},
                {"abc", "abc", 0},
                {"abc", "abd", 1},
                {"abc", "ab", 1},
                {"bc", "abc", 1},
                {"ab", "ba", 1},
                {"conv", "con", 1},
                {"kitten", "sitting", 3},
                {"flaw", "lawn", 2},
                {"plan", "paln", 1},
                {"abcdef", "badcfe", 3},
                {"ca", "abc", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CU_ASSERT_EQUAL(text_distance(rows[i].left, rows[i].right), rows[i].distance);
        CU_ASSERT_EQUAL(text_distance(rows[i].right, rows[i].left), rows[i].distance);
    }
}

/* Of a file that does not exist yet. */
static char path[64];

static void make_path(void)
{
    snprintf(path, sizeof path, "/tmp/memplan-text-XXXXXX");
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0);
    close(file);
    remove(path);
}

static enum status write_bytes(const char *to, const char *bytes, size_t length)
{
    struct text text = {0};
    text_append_bytes(&text, bytes, length);
    enum status status = text_write_file(to, &text, &error);
    text_free(&text);
    return status;
}

static void expect_content(const char *bytes, size_t length)
{
    struct text text;
    CU_ASSERT_EQUAL_FATAL(text_read_file(path, &text, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(text.length, length);
    CU_ASSERT_EQUAL(memcmp(text.bytes, bytes, length), 0);
    CU_ASSERT_EQUAL(text.bytes[length], '\0');
    text_free(&text);
}

static void test_write_and_read(void)
{
    make_path();
    CU_ASSERT_EQUAL(write_bytes(path, "one\0two\r\n", 9), STATUS_OK);
    expect_content("one\0two\r\n", 9);
    CU_ASSERT_EQUAL(write_bytes(path, "", 0), STATUS_OK);
    expect_content("", 0);
    remove(path);
}

/* A text that nothing was written to has no bytes at all. */
static void test_write_empty_text(void)
{
    const struct text empty = {0};
    make_path();
    CU_ASSERT_EQUAL(text_write_file(path, &empty, &error), STATUS_OK);
    expect_content("", 0);
    remove(path);
}

static void test_large_file(void)
{
    enum { LENGTH = 300001 };
    char *bytes = memory_allocate(LENGTH, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    for (int i = 0; i < LENGTH; i++)
        bytes[i] = (char)('a' + i % 23);
    make_path();
    CU_ASSERT_EQUAL(write_bytes(path, bytes, LENGTH), STATUS_OK);
    expect_content(bytes, LENGTH);
    remove(path);
    memory_free(bytes);
}

static void expect_unreadable(const char *from, const char *reason)
{
    struct text text = {.length = 99};
    uint64_t live = memory_live_blocks();
    CU_ASSERT_EQUAL(text_read_file(from, &text, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.file, from);
    CU_ASSERT_EQUAL(error.line, 0);
    CU_ASSERT_STRING_EQUAL(error.text, reason);
    CU_ASSERT_EQUAL(text.length, 0);
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
}

static void test_unreadable(void)
{
    make_path();
    expect_unreadable(path, "cannot open: No such file or directory");
    expect_unreadable("/", "cannot read: Is a directory");
    remove(path);
}

static void test_read_without_memory(void)
{
    struct text text;
    make_path();
    CU_ASSERT_EQUAL_FATAL(write_bytes(path, "abc", 3), STATUS_OK);
    uint64_t live = memory_live_blocks();
    memory_fail_after(0);
    CU_ASSERT_EQUAL(text_read_file(path, &text, &error), STATUS_INTERNAL);
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
    remove(path);
}

/* A text that lacks memory is no file. */
static void test_write_without_memory(void)
{
    struct text text = {0};
    make_path();
    memory_fail_after(0);
    text_append(&text, "%1000s", "");
    CU_ASSERT_EQUAL(text_write_file(path, &text, &error), STATUS_INTERNAL);
    CU_ASSERT_EQUAL(access(path, F_OK), -1);
    text_free(&text);
}

static const struct test_case cases[] = {
    {"append", test_append},
    {"append much", test_append_much},
    {"append without memory", test_append_without_memory},
    {"lines", test_lines},
    {"blank lines", test_blank_lines},
    {"carriage returns", test_carriage_returns},
    {"lines of nothing", test_lines_of_nothing},
    {"unsigned numbers", test_u64},
    {"signed numbers", test_i64},
    {"bytes with a factor", test_bytes},
    {"what is no number", test_refusals},
    {"a name that a list has twice", test_repeated_names},
    {"how far names are apart", test_distance},
    {"write and read", test_write_and_read},
    {"write an empty text", test_write_empty_text},
    {"a file of many blocks", test_large_file},
    {"what cannot be read", test_unreadable},
    {"reading without memory", test_read_without_memory},
    {"writing without memory", test_write_without_memory},
};

TESTING_MAIN("core/text", cases)
