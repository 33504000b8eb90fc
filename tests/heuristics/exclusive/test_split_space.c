#include "core/random.h"
#include "heuristics/exclusive/split_space.h"
#include "support/testing.h"

/* The space against an array of bytes, each with the number of buffers that use it. */

enum { MOST_BYTES = 4000, MOST_TAKEN = 4 };

static struct error error;

struct bytes {
    uint8_t users[MOST_BYTES];
    bool taken[MOST_BYTES];
    uint64_t end;
};

static void take_some(struct bytes *bytes, struct random_state *random, struct interval *taken,
                      uint32_t count)
{
    uint64_t begin = 0;
    for (uint64_t i = 0; i < MOST_BYTES; i++)
        bytes->taken[i] = false;
    for (uint32_t t = 0; t < count; t++) {
        begin += random_below(random, 1 + bytes->end / 2);
        taken[t] = (struct interval){begin, begin + 1 + random_below(random, 9)};
        for (uint64_t i = taken[t].begin; i < taken[t].end; i++)
            bytes->taken[i] = true;
    }
}

/* The bytes of an aligned run of free bytes that one buffer at most uses, or that more do. */
static void expect_bytes(const struct bytes *bytes, const struct split_space *space,
                         const struct split_request *request)
{
    uint64_t sum = 0, last_end = 0;
    for (uint32_t p = 0; p < space->pieces; p++) {
        struct extent piece = space->piece[p];
        CU_ASSERT_TRUE_FATAL(piece.bytes > 0 && (!p || piece.offset > last_end));
        last_end = piece.offset + piece.bytes;
        for (uint64_t i = piece.offset; i < last_end && i < bytes->end; i++)
            CU_ASSERT_FALSE(bytes->taken[i]);
        sum += piece.bytes;
    }
    CU_ASSERT_EQUAL(sum, request->size);
}

/* New bytes are taken only where no free ones of alignment 1 are left, and bytes that several use
   only where none are left that at most one does. */
static void expect_sparing(const struct bytes *bytes, const struct split_space *space)
{
    bool used[MOST_BYTES] = {false}, new_bytes = false, shared = false, few_left = false,
         any_left = false;
    for (uint32_t p = 0; p < space->pieces; p++)
        for (uint64_t i = space->piece[p].offset;
             i < space->piece[p].offset + space->piece[p].bytes; i++) {
            used[i] = true;
            new_bytes |= i >= bytes->end;
            shared |= i < bytes->end && bytes->users[i] > 1;
        }
    for (uint64_t i = 0; i < bytes->end; i++) {
        few_left |= !bytes->taken[i] && !used[i] && bytes->users[i] < 2;
        any_left |= !bytes->taken[i] && !used[i];
    }
    CU_ASSERT_FALSE(new_bytes && any_left);
    CU_ASSERT_FALSE(shared && few_left);
}

static void use_pieces(struct bytes *bytes, const struct split_space *space)
{
    for (uint32_t p = 0; p < space->pieces; p++)
        for (uint64_t i = space->piece[p].offset;
             i < space->piece[p].offset + space->piece[p].bytes; i++) {
            bytes->users[i]++;
            bytes->end = i >= bytes->end ? i + 1 : bytes->end;
        }
}

/* The cells say of each byte how many use it: none, one or more. */
static void expect_cells(const struct bytes *bytes, const struct split_space *space)
{
    uint64_t at = 0;
    CU_ASSERT_EQUAL(space->end, bytes->end);
    for (uint32_t c = 0; c < space->cells; c++) {
        struct split_cell cell = space->cell[c];
        CU_ASSERT_EQUAL_FATAL(cell.begin, at);
        CU_ASSERT_TRUE(!c || space->cell[c - 1].users != cell.users);
        for (; at < cell.end; at++)
            CU_ASSERT_EQUAL(cell.users, bytes->users[at] > 2 ? 2 : bytes->users[at]);
    }
    CU_ASSERT_EQUAL(at, bytes->end);
}

static void test_random(void)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct random_state random = random_seed(seed);
        struct bytes bytes = {.end = 0};
        struct split_space space = {0};
        for (int turn = 0; turn < 30; turn++) {
            struct interval taken[MOST_TAKEN];
            uint32_t count = (uint32_t)random_below(&random, MOST_TAKEN + 1);
            take_some(&bytes, &random, taken, count);
            const struct split_request request = {.taken = taken,
                                                  .count = count,
                                                  .size = 1 + random_below(&random, 30),
                                                  .alignment = seed % 2 ? 1 : 4};
            CU_ASSERT_EQUAL_FATAL(split_space_find(&space, &request, &error), STATUS_OK);
            expect_bytes(&bytes, &space, &request);
            if (request.alignment == 1)
                expect_sparing(&bytes, &space);
            CU_ASSERT_EQUAL_FATAL(split_space_use(&space, &error), STATUS_OK);
            use_pieces(&bytes, &space);
            expect_cells(&bytes, &space);
        }
        split_space_free(&space);
    }
}

static const struct test_case cases[] = {
    {"random requests, byte by byte", test_random},
};
TESTING_MAIN("heuristics/split_space", cases)
