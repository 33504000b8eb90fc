#include <stdlib.h>
#include <string.h>

#include "core/digest.h"
#include "harness/cache/archive.h"
#include "support/fail_each.h"
#include "support/must.h"

/* Where the numbers of the file lie, as docs/formats.md says. */
enum { VERSION_AT = 4, BODIES_AT = 8, NAME_BYTES_AT = 12, TOTAL_AT = 16, DIRECTORY_AT = 1024 };
enum { OFFSET_AT = 16, STORED_AT = 24, WHOLE_AT = 32, TAIL_BYTES = 64 };

static void fill(struct archive *archive)
{
    strcpy(archive->name, "a name");
    text_append(archive_add(archive, "plan"), "{\"offsets\": [0, 64, 128]}");
    archive_add(archive, "empty");
    for (int i = 0; i < 200; i++)
        text_append(i ? &archive->body[2].text : archive_add(archive, "long"), "line %d\n", i);
}

static void write_example(struct text *bytes)
{
    SCOPED(archive_free) struct archive archive = {0};
    fill(&archive);
    must(archive_write(&archive, bytes, &error));
}

static enum status read_back(const struct text *bytes, struct error *found)
{
    SCOPED(archive_free) struct archive archive = {0};
    return archive_read(bytes, "x.mpa", &archive, found);
}

static void test_round_trip(void)
{
    SCOPED(text_free) struct text bytes = {0};
    SCOPED(text_free) struct text again = {0};
    SCOPED(archive_free) struct archive archive = {0};
    SCOPED(archive_free) struct archive expected = {0};
    write_example(&bytes);
    write_example(&again);
    CU_ASSERT_EQUAL_FATAL(bytes.length, again.length);
    CU_ASSERT_EQUAL(memcmp(bytes.bytes, again.bytes, bytes.length), 0);
    must(archive_read(&bytes, "x.mpa", &archive, &error));
    fill(&expected);
    CU_ASSERT_STRING_EQUAL(archive.name, "a name");
    CU_ASSERT_EQUAL_FATAL(archive.bodies, 3);
    for (uint32_t i = 0; i < 3; i++) {
        CU_ASSERT_STRING_EQUAL(archive.body[i].kind, expected.body[i].kind);
        CU_ASSERT_EQUAL_FATAL(archive.body[i].text.length, expected.body[i].text.length);
        for (size_t k = 0; k < archive.body[i].text.length; k++)
            CU_ASSERT_EQUAL(archive.body[i].text.bytes[k], expected.body[i].text.bytes[k]);
    }
    CU_ASSERT_PTR_EQUAL(archive_find(&archive, "long"), &archive.body[2].text);
    CU_ASSERT_PTR_NULL(archive_find(&archive, "none"));
}

static void test_every_byte_changed(void)
{
    SCOPED(text_free) struct text bytes = {0};
    write_example(&bytes);
    for (size_t i = 0; i < bytes.length; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes.bytes[i] ^= (char)(1 << bit);
            CU_ASSERT_EQUAL(read_back(&bytes, &error), STATUS_BAD_INPUT);
            CU_ASSERT_STRING_EQUAL(error.file, "x.mpa");
            bytes.bytes[i] ^= (char)(1 << bit);
        }
}

/* A copy of exactly so many bytes, so that a read beyond them is seen. */
static enum status read_first(const struct text *bytes, size_t length)
{
    char *copy = malloc(length + !length);
    memcpy(copy, bytes->bytes, length);
    enum status status = read_back(&(struct text){.bytes = copy, .length = length}, &error);
    free(copy);
    return status;
}

static void test_every_length(void)
{
    SCOPED(text_free) struct text bytes = {0};
    write_example(&bytes);
    for (size_t length = 0; length < bytes.length; length++)
        CU_ASSERT_EQUAL(read_first(&bytes, length), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(read_first(&bytes, bytes.length), STATUS_OK);
    text_append(&bytes, "x");
    CU_ASSERT_EQUAL(read_first(&bytes, bytes.length), STATUS_BAD_INPUT);
}

/* The digest at the end is made right again, as somebody would who wants to be believed. */
static void sign(struct text *bytes)
{
    char digest[DIGEST_TEXT_BYTES];
    size_t covered = bytes->length - TAIL_BYTES;
    digest_bytes(bytes->bytes, covered, digest);
    memcpy(bytes->bytes + covered, digest, TAIL_BYTES);
}

static void test_signed_lies(void)
{
    static const struct {
        size_t at;
        int value;
        const char *expected;
    } rows[] = {{VERSION_AT, 2, "version 2, expected 1"},
                {BODIES_AT, 9, "9 bodies"},
                {BODIES_AT, 2, "does not lie behind"},
                {BODIES_AT + 3, 255, "bodies, expected at most"},
                {NAME_BYTES_AT + 1, 255, "a name of"},
                {TOTAL_AT, 1, "as the header says"},
                {DIRECTORY_AT, 0, "without a kind"},
                {DIRECTORY_AT + 15, 'x', "without a kind"},
                {DIRECTORY_AT + OFFSET_AT, 1, "does not lie behind"},
                {DIRECTORY_AT + STORED_AT, 1, "size is not that"},
                {DIRECTORY_AT + STORED_AT + 7, 255, "does not lie behind"},
                {DIRECTORY_AT + WHOLE_AT + 7, 255, "size is not that"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(text_free) struct text bytes = {0};
        write_example(&bytes);
        bytes.bytes[rows[i].at] = (char)rows[i].value;
        sign(&bytes);
        CU_ASSERT_EQUAL(read_back(&bytes, &error), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, rows[i].expected));
    }
}

/* Every byte changed, and signed: whatever it says, it is read or refused. */
static void test_signed_changes(void)
{
    SCOPED(text_free) struct text bytes = {0};
    write_example(&bytes);
    for (size_t i = 0; i + TAIL_BYTES < bytes.length; i++)
        for (int change = 1; change < 256; change += TESTING_COUNT(12, 60)) {
            bytes.bytes[i] ^= (char)change;
            sign(&bytes);
            enum status status = read_back(&bytes, &error);
            CU_ASSERT(status == STATUS_OK || status == STATUS_BAD_INPUT);
            bytes.bytes[i] ^= (char)change;
        }
}

static enum status write_and_read(const void *input, struct error *failure)
{
    SCOPED(text_free) struct text bytes = {0};
    SCOPED(archive_free) struct archive archive = {0};
    SCOPED(archive_free) struct archive found = {0};
    (void)input;
    fill(&archive);
    TRY(archive_write(&archive, &bytes, failure));
    return archive_read(&bytes, "x.mpa", &found, failure);
}

static void test_memory(void)
{
    fail_each(write_and_read, NULL);
}

static const struct test_case cases[] = {
    {"what is written is read", test_round_trip},
    {"a changed bit is found wherever it is", test_every_byte_changed},
    {"a file cut short is refused at every length", test_every_length},
    {"wrong numbers under a right digest are refused", test_signed_lies},
    {"no byte under a right digest does harm", test_signed_changes},
    {"every allocation may fail", test_memory},
};

TESTING_MAIN("archive", cases)
