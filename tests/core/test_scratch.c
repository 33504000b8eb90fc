#include "core/scratch.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#include "core/memory.h"
#include "support/fail_each.h"
#include "support/testing.h"

/* Pieces of 0, 1, 2 ... bytes. */
enum { PIECES = 100 };

/* Each piece is zeroed and aligned, and none lies over another: each is filled with its length, and
   is still when the last one is. */
static enum status take_pieces(const void *input, struct error *error)
{
    (void)input;
    struct scratch scratch = {0};
    unsigned char *piece[PIECES];
    enum status status = STATUS_OK;
    size_t taken = 0;
    while (taken < PIECES && !(status = scratch_take(&scratch, &piece[taken], taken, 1, error))) {
        CU_ASSERT_EQUAL((uintptr_t)piece[taken] % alignof(max_align_t), 0);
        for (size_t i = 0; i < taken; i++) {
            CU_ASSERT_EQUAL(piece[taken][i], 0);
            piece[taken][i] = (unsigned char)taken;
        }
        taken++;
    }
    for (size_t length = 0; length < taken; length++)
        for (size_t i = 0; i < length; i++)
            CU_ASSERT_EQUAL(piece[length][i], length);
    scratch_free(&scratch);
    CU_ASSERT_PTR_NULL(scratch.latest);
    return status;
}

static void pieces_do_not_meet(void)
{
    fail_each(take_pieces, NULL);
}

static void too_many_bytes(void)
{
    struct scratch scratch = {0};
    void *block;
    struct error error;
    CU_ASSERT_EQUAL(scratch_take(&scratch, &block, SIZE_MAX / 2, 3, &error), STATUS_INTERNAL);
    CU_ASSERT_EQUAL(scratch_take(&scratch, &block, SIZE_MAX, 1, &error), STATUS_INTERNAL);
    CU_ASSERT_PTR_NULL(scratch.latest);
    scratch_free(&scratch);
}

static const struct test_case cases[] = {
    {"pieces do not meet", pieces_do_not_meet},

    {"too many bytes", too_many_bytes},
};

TESTING_MAIN("core/scratch", cases)
