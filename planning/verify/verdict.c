#include "planning/verify/verdict.h"

#include <assert.h>

struct verdict verify_overlap(uint32_t a, uint32_t b, uint32_t step)
{
    assert(a != b);
    return (struct verdict){VERIFY_OVERLAP, a < b ? a : b, a < b ? b : a, step};
}

const char *verify_fault_name(enum verify_fault fault)
{
    static const char *const names[] = {
        [VERIFY_VALID] = "valid",
        [VERIFY_WRONG_COUNT] = "wrong_count",
        [VERIFY_NO_OFFSET] = "no_offset",
        [VERIFY_OUT_OF_RANGE] = "out_of_range",
        [VERIFY_MISALIGNED] = "misaligned",
        [VERIFY_NOT_FIXED] = "not_fixed",
        [VERIFY_OVERLAP] = "overlap",
        [VERIFY_WRONG_PEAK] = "wrong_peak",
        [VERIFY_WRONG_EXTENTS] = "wrong_extents",
        [VERIFY_SELF_OVERLAP] = "self_overlap",
        [VERIFY_DEVICES] = "devices",
        [VERIFY_NOT_OF_POLICY] = "not_of_policy",
        [VERIFY_BELOW_ITSELF] = "below_itself",
        [VERIFY_NOT_ORIENTED] = "not_oriented",
        [VERIFY_SAMPLED] = "sampled",
    };
    assert(fault <= VERIFY_SAMPLED);
    return names[fault];
}
