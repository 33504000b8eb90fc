#include <string.h>

#include "core/digest.h"
#include "core/quick_hash.h"
#include "support/must.h"

static void expect_digest(const char *bytes, size_t length, const char *expected)
{
    char text[DIGEST_TEXT_BYTES];
    must(digest_bytes(bytes, length, text, &error));
    CU_ASSERT_STRING_EQUAL(text, expected);
}

/* The examples of FIPS 180-4. */
static void test_sha256(void)
{
    static const char long_example[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    expect_digest("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_digest(long_example, strlen(long_example),
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void test_zero_bytes_count(void)
{
    char one[DIGEST_TEXT_BYTES], two[DIGEST_TEXT_BYTES];
    must(digest_bytes("\0", 1, one, &error));
    must(digest_bytes("\0\0", 2, two, &error));
    CU_ASSERT_STRING_NOT_EQUAL(one, two);
}

/* The test vectors of the FNV reference code. */
static void test_quick(void)
{
    CU_ASSERT_EQUAL(quick_hash("", 0), 0xcbf29ce484222325u);
    CU_ASSERT_EQUAL(quick_hash("a", 1), 0xaf63dc4c8601ec8cu);
    CU_ASSERT_EQUAL(quick_hash("foobar", 6), 0x85944171f73967e8u);
    CU_ASSERT_EQUAL(quick_hash("foobarX", 6), 0x85944171f73967e8u);
}

static const struct test_case cases[] = {
    {"SHA-256", test_sha256},
    {"zero bytes count", test_zero_bytes_count},
    {"FNV-1a", test_quick},
};

TESTING_MAIN("core/digest", cases)
