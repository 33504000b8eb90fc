#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/gzip.h"
#include "support/must.h"

static char path[] = "/tmp/memplan-gzip-XXXXXX";
/* Packs the text into the file and returns the packed bytes, which the caller frees. */
static struct text pack(const struct text *text)
{
    struct text packed;
    must(gzip_write_file(path, text, &error));
    must(text_read_file(path, &packed, &error));
    return packed;
}

static void expect_held(const struct text *expected)
{
    struct text found;
    must(gzip_read_file(path, &found, &error));
    CU_ASSERT_EQUAL_FATAL(found.length, expected->length);
    CU_ASSERT_EQUAL(memcmp(found.bytes, expected->bytes, found.length), 0);
    CU_ASSERT_EQUAL(found.bytes[found.length], '\0');
    text_free(&found);
}

/* More than one buffer of the library's. */
static struct text make_long_text(void)
{
    struct text text = {0};
    for (unsigned i = 0; i < 100000; i++)
        text_append(&text, "%u,%u\n", i, i * 7919 % 1013);
    return text;
}

static void test_round_trip(void)
{
    struct text texts[3] = {{0}, {0}, make_long_text()};
    text_append(&texts[0], "%s", "");
    text_append(&texts[1], "one line\n");
    for (int i = 0; i < 3; i++) {
        struct text packed = pack(&texts[i]);
        expect_held(&texts[i]);
        CU_ASSERT(i < 2 || packed.length < texts[i].length / 2);
        text_free(&packed);
        text_free(&texts[i]);
    }
}

/* The header has no flags (no name) and no time. */
static void test_bytes_are_the_same(void)
{
    static const char header[8] = {31, (char)139, 8, 0, 0, 0, 0, 0};
    struct text text = make_long_text(), one = pack(&text), other = pack(&text);
    CU_ASSERT_EQUAL(memcmp(one.bytes, header, sizeof header), 0);
    CU_ASSERT_EQUAL_FATAL(one.length, other.length);
    CU_ASSERT_EQUAL(memcmp(one.bytes, other.bytes, one.length), 0);
    text_free(&one);
    text_free(&other);
    text_free(&text);
}

/* As gzip itself makes it where files are put behind each other. */
static void test_several_parts(void)
{
    struct text text = {0}, twice = {0};
    text_append(&text, "part\n");
    text_append(&twice, "part\npart\n");
    struct text packed = pack(&text), both = {0};
    text_append_bytes(&both, packed.bytes, packed.length);
    text_append_bytes(&both, packed.bytes, packed.length);
    must(text_write_file(path, &both, &error));
    expect_held(&twice);
    text_free(&packed);
    text_free(&both);
    text_free(&text);
    text_free(&twice);
}

static void expect_refused(const char *bytes, size_t length, const char *what)
{
    struct text text = {0};
    text_append_bytes(&text, bytes, length);
    must(text_write_file(path, &text, &error));
    text_free(&text);
    CU_ASSERT_EQUAL(gzip_read_file(path, &text, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.file, path);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, what));
    text_free(&text);
}

/* Every shorter file, and every byte changed of the end, which holds the check sum. */
static void test_bad_input(void)
{
    struct text text = {0};
    text_append(&text, "forty-two bytes that cannot be made shorter");
    struct text packed = pack(&text);
    for (size_t length = 0; length < packed.length; length++)
        expect_refused(packed.bytes, length, "cut off");
    for (size_t i = packed.length - 8; i < packed.length; i++) {
        packed.bytes[i] ^= 1;
        expect_refused(packed.bytes, packed.length, "damaged");
        packed.bytes[i] ^= 1;
    }
    expect_refused("no gzip file", 12, "damaged");
    text_free(&packed);
    text_free(&text);
    CU_ASSERT_EQUAL(gzip_read_file("/nowhere/at all", &text, &error), STATUS_BAD_INPUT);
    text_free(&text);
}

static const struct test_case cases[] = {
    {"round trip", test_round_trip},
    {"same bytes", test_bytes_are_the_same},
    {"several parts", test_several_parts},
    {"bad input", test_bad_input},
};

int main(void)
{
    int file = mkstemp(path);
    if (file < 0)
        return EXIT_FAILURE;
    close(file);
    int code = testing_run("core/gzip", cases, sizeof cases / sizeof *cases);
    unlink(path);
    return code;
}
