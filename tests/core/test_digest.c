#include <string.h>

#include "core/digest.h"
#include "core/quick_hash.h"
#include "support/must.h"

/* The examples of FIPS 180-4; and zero bytes count. */
static void test_sha256(void)
{
    static const char *const rows[][2] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    char one[DIGEST_TEXT_BYTES], two[DIGEST_TEXT_BYTES];
    for (int i = 0; i < 3; i++) {
        digest_bytes(rows[i][0], strlen(rows[i][0]), one);
        CU_ASSERT_STRING_EQUAL(one, rows[i][1]);
    }
    digest_bytes("\0", 1, one);
    digest_bytes("\0\0", 2, two);
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

    {"FNV-1a", test_quick},
};

TESTING_MAIN("core/digest", cases)
