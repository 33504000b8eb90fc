#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "support/must.h"

static void test_append(void)
{
    struct text text = {0};
    text_append(&text, "%s=%d", "a", 1);
    text_append(&text, "%s", "");
    text_append_bytes(&text, ";b=2xxx", 4);
    must(text_check(&text, &error));
    CU_ASSERT_EQUAL(text.length, 7);
    CU_ASSERT_STRING_EQUAL(text.bytes, "a=1;b=2");
    text_free(&text);
    CU_ASSERT(!text.bytes && !text.length);
    for (int i = 0; i < 20000; i++)
        text_append(&text, "%04d,", i % 10000);
    must(text_check(&text, &error));
    CU_ASSERT(text.length == 100000 && strlen(text.bytes) == 100000);
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

/* Lines are written with a | after each. A carriage return is part of a line end only right before
   a line feed or at the very end. */
static void test_lines(void)
{
    static const char *const rows[][2] = {{"a\nb\n", "a|b|"},
                                          {"a\nb", "a|b|"},
                                          {"a\r\nb\r\n", "a|b|"},
                                          {"a\r\nb\nc", "a|b|c|"},
                                          {"a", "a|"},
                                          {"", ""},
                                          {"\n", "|"},
                                          {"\r\n", "|"},
                                          {"\n\n\na", "|||a|"},
                                          {"\n\r\n\na\n\n", "|||a||"},
                                          {"a\rb\n", "a\rb|"},
                                          {"a\r\r\nb", "a\r|b|"},
                                          {"a\r", "a|"},
                                          {"a\n\rb\n", "a|\rb|"}};
    struct text nothing = {0};
    struct text_line none = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0}, lines = {0};
        struct text_line line = {0};
        unsigned number = 0;
        text_append_bytes(&text, rows[i][0], strlen(rows[i][0]));
        text_append(&lines, "%s", "");
        while (text_next_line(&text, &line)) {
            CU_ASSERT_EQUAL(line.number, ++number);
            text_append_bytes(&lines, line.start, line.length);
            text_append(&lines, "|");
        }
        if (strcmp(lines.bytes, rows[i][1]) != 0)
            printf("\nfound %s, expected %s\n", lines.bytes, rows[i][1]);
        CU_ASSERT_STRING_EQUAL(lines.bytes, rows[i][1]);
        text_free(&text);
        text_free(&lines);
    }
    CU_ASSERT(!text_next_line(&nothing, &none) && !text_next_line(&nothing, &none));
}

/* What each parser makes of a text, as 64 bits. */
static bool parse_u64(const char *text, size_t length, uint64_t *value)
{
    return text_parse_u64(text, length, value);
}

static bool parse_i64(const char *text, size_t length, uint64_t *value)
{
    int64_t number = 0;
    bool parsed = text_parse_i64(text, length, &number);
    *value = (uint64_t)number;
    return parsed;
}

static bool parse_bytes(const char *text, size_t length, uint64_t *value)
{
    (void)length;
    return text_parse_bytes(text, value);
}

static void test_numbers(void)
{
    static const struct {
        bool (*parse)(const char *text, size_t length, uint64_t *value);
        const char *text;
        uint64_t value;
    } rows[] = {{parse_u64, "0", 0},
                {parse_u64, "007", 7},
                {parse_u64, "18446744073709551615", UINT64_MAX},
                {parse_i64, "0", 0},
                {parse_i64, "-0", 0},
                {parse_i64, "-12", (uint64_t)-12},
                {parse_i64, "9223372036854775807", INT64_MAX},
                {parse_i64, "-9223372036854775808", (uint64_t)INT64_MIN},
                {parse_bytes, "0", 0},
                {parse_bytes, "7", 7},
                {parse_bytes, "3k", 3000},
                {parse_bytes, "3M", 3000000},
                {parse_bytes, "3G", 3000000000},
                {parse_bytes, "3KiB", 3072},
                {parse_bytes, "3MiB", 3145728},
                {parse_bytes, "3GiB", 3221225472},
                {parse_bytes, "17179869183GiB", UINT64_MAX - 1073741823},
                {parse_bytes, "18446744073709551615", UINT64_MAX}};
    /* Texts that a parser refuses, with a | after each. */
    static const struct {
        bool (*parse)(const char *text, size_t length, uint64_t *value);
        const char *refused;
    } refusals[] = {
        {parse_u64, "|-1|+1| 1|1 |1.0|0x1|1e3|a|18446744073709551616|99999999999999999999|"
                    "184467440737095516150|"},
        {parse_i64,
         "|-|--1|+1|-1 |9223372036854775808|-9223372036854775809|-18446744073709551616|"},
        {parse_bytes, "|k|KiB|1 k|1K|1kb|1kib|-1k|1.5G|1k |1KiBs|1T|17179869184GiB|"
                      "18446744073709552k|18446744073709551616|"},
    };
    uint64_t value;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT(rows[i].parse(rows[i].text, strlen(rows[i].text), &value) &&
                  value == rows[i].value);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        for (const char *at = refusals[i].refused; *at; at = strchr(at, '|') + 1) {
            char text[32];
            snprintf(text, sizeof text, "%.*s", (int)(strchr(at, '|') - at), at);
            CU_ASSERT_FALSE(refusals[i].parse(text, strlen(text), &value));
        }
    CU_ASSERT(parse_u64("123x", 3, &value) && value == 123);
    CU_ASSERT(parse_i64("-123", 2, &value) && value == (uint64_t)-1);
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
    must(text_read_file(path, &text, &error));
    CU_ASSERT_EQUAL_FATAL(text.length, length);
    CU_ASSERT_EQUAL(memcmp(text.bytes, bytes, length), 0);
    CU_ASSERT_EQUAL(text.bytes[length], '\0');
    text_free(&text);
}

/* A text that nothing was written to has no bytes at all; a large one has many blocks. */
static void test_write_and_read(void)
{
    enum { LENGTH = 300001 };
    const struct text empty = {0};
    char *bytes = memory_allocate(LENGTH, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    for (int i = 0; i < LENGTH; i++)
        bytes[i] = (char)('a' + i % 23);
    make_path();
    CU_ASSERT_EQUAL(write_bytes(path, "one\0two\r\n", 9), STATUS_OK);
    expect_content("one\0two\r\n", 9);
    CU_ASSERT_EQUAL(write_bytes(path, "", 0), STATUS_OK);
    expect_content("", 0);
    CU_ASSERT_EQUAL(write_bytes(path, bytes, LENGTH), STATUS_OK);
    expect_content(bytes, LENGTH);
    must(text_write_file(path, &empty, &error));
    expect_content("", 0);
    remove(path);
    memory_free(bytes);
}

static void test_unreadable(void)
{
    uint64_t live = memory_live_blocks();
    make_path();
    const char *const refusals[][2] = {{path, "cannot open: No such file or directory"},
                                       {"/", "cannot read: Is a directory"}};
    for (int i = 0; i < 2; i++) {
        struct text text = {.length = 99};
        CU_ASSERT_EQUAL(text_read_file(refusals[i][0], &text, &error), STATUS_BAD_INPUT);
        CU_ASSERT_STRING_EQUAL(error.file, refusals[i][0]);
        CU_ASSERT_STRING_EQUAL(error.text, refusals[i][1]);
        CU_ASSERT(!error.line && !text.length);
    }
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
}

/* A text that lacks memory is no file. */
static void test_files_without_memory(void)
{
    struct text text = {0};
    make_path();
    uint64_t live = memory_live_blocks();
    memory_fail_after(0);
    text_append(&text, "%1000s", "");
    CU_ASSERT_EQUAL(text_write_file(path, &text, &error), STATUS_INTERNAL);
    CU_ASSERT_EQUAL(access(path, F_OK), -1);
    text_free(&text);
    CU_ASSERT_EQUAL_FATAL(write_bytes(path, "abc", 3), STATUS_OK);
    memory_fail_after(0);
    CU_ASSERT_EQUAL(text_read_file(path, &text, &error), STATUS_INTERNAL);
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
    remove(path);
}

static const struct test_case cases[] = {
    {"append", test_append},
    {"append without memory", test_append_without_memory},
    {"lines", test_lines},
    {"numbers, and what is none", test_numbers},
    {"a name that a list has twice", test_repeated_names},
    {"how far names are apart", test_distance},
    {"write and read", test_write_and_read},
    {"what cannot be read", test_unreadable},
    {"files without memory", test_files_without_memory},
};

TESTING_MAIN("core/text", cases)
