#include "core/utf8.h"

#include <string.h>

#include "support/testing.h"

static void characters_are_read(void)
{
    static const struct {
        const char *bytes;
        size_t length;
        uint32_t point;
    } characters[] = {
        {"", 1, 0},
        {"a\xff", 1, 'a'},
        {"\x7f", 1, 0x7f},
        {"\xc2\x80", 2, 0x80},
        {"\xc3\xa9z", 2, 0xe9},
        {"\xdf\xbf", 2, 0x7ff},
        {"\xe0\xa0\x80", 3, 0x800},
        {"\xe4\xb8\xad", 3, 0x4e2d},
        {"\xed\x9f\xbf", 3, 0xd7ff},
        {"\xee\x80\x80", 3, 0xe000},
        {"\xef\xbf\xbf", 3, 0xffff},
        {"\xf0\x90\x80\x80", 4, 0x10000},
        {"\xf0\x9f\x98\x80", 4, 0x1f600},
        {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
    };
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
        uint32_t point = 1;
        CU_ASSERT_EQUAL(utf8_read(characters[i].bytes, strlen(characters[i].bytes) + 1, &point),
                        characters[i].length);
        CU_ASSERT_EQUAL(point, characters[i].point);
    }
    CU_ASSERT(utf8_is_valid("a\0b", 3) && utf8_is_valid("", 0));
    CU_ASSERT(utf8_is_valid("\xf0\x9f\x98\x80z\xe4\xb8\xad\xc3\xa9", 10));
}

/* How much of each is valid. */
static void other_bytes_are_refused(void)
{
    static const struct {
        const char *bytes;
        size_t valid;
    } texts[] = {
        {"\xff", 0},
        {"\xc3", 0},
        {"\xc0\x80", 0},
        {"\xc1\xbf", 0},
        {"\xe0\x80\x80", 0},
        {"\xe0\x9f\xbf", 0},
        {"\xed\xa0\x80", 0},
        {"\xed\xbf\xbf", 0},
        {"\x80", 0},
        {"a\xe4\xb8", 1},
        {"\xf4\x90\x80\x80", 0},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf8\x88\x80", 0},
        {"ab\xc3\xa9\xc3", 4},
        {"\xe4\xb8(", 0},
    };
    uint32_t point;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length = strlen(texts[i].bytes);
        CU_ASSERT_EQUAL(utf8_valid_bytes(texts[i].bytes, length), texts[i].valid);
        CU_ASSERT_FALSE(utf8_is_valid(texts[i].bytes, length));
    }
    CU_ASSERT_EQUAL(utf8_read("", 0, &point), 0);
    /* A character that is cut off is none, whatever lies behind the end. */
    for (size_t length = 0; length < 5; length++)
        CU_ASSERT_EQUAL(utf8_valid_bytes("\xf0\x9f\x98\x80", length), length == 4 ? 4 : 0);
}

static const struct test_case cases[] = {
    {"characters are read", characters_are_read},
    {"other bytes are refused", other_bytes_are_refused},

};

TESTING_MAIN("core/utf8", cases)
