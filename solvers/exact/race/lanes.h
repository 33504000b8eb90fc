/* The numbers of blocks of sections, for one width of number: a template without guards, which
   blocks_lanes.h and spans_lanes.h begin with. LANE is a signed type, and NAME() makes names of it.
   A vector has LANES numbers, one for each section of a block; MOST is the greatest. */

#define INLINE static inline __attribute__((always_inline))
#define LANES ((uint32_t)(EXACT_BLOCK_BYTES / sizeof(LANE)))
#define MOST ((LANE)(UINT64_MAX >> (65 - 8 * sizeof(LANE))))

typedef LANE NAME(vector)
    __attribute__((vector_size(EXACT_BLOCK_BYTES), aligned(sizeof(LANE)), may_alias));

/* In the order of enum exact_number; floor is MOST where nothing is left. */
struct NAME(block) {
    NAME(vector) bytes_left, floor, span, candidates;
};

INLINE struct NAME(block) * NAME(find_block)(const struct exact_blocks *blocks, uint32_t block)
{
    return (struct NAME(block) *)blocks->found + block;
}

INLINE NAME(vector) * NAME(find_inside)(const struct exact_blocks *blocks, uint32_t entry)
{
    return (NAME(vector) *)blocks->grid->inside + entry;
}
