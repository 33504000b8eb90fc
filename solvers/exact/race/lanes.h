/* The numbers of batches of sections, for one width of number: a template without guards, included
   once for each width by batches.c and spans.c. LANE is a signed type, and NAME() makes names of
   it. A vector has LANES numbers, one for each section of a batch; MOST is the greatest. */

#define INLINE static inline __attribute__((always_inline))
#define LANES ((uint32_t)(EXACT_BATCH_BYTES / sizeof(LANE)))
#define MOST ((LANE)(UINT64_MAX >> (65 - 8 * sizeof(LANE))))

typedef LANE NAME(vector)
    __attribute__((vector_size(EXACT_BATCH_BYTES), aligned(sizeof(LANE)), may_alias));

/* In the order of enum exact_number; floor is MOST where nothing is left. */
struct NAME(batch) {
    NAME(vector) bytes_left, floor, span, candidates;
};

INLINE struct NAME(batch) * NAME(find_batch)(const struct exact_batches *batches, uint32_t batch)
{
    return (struct NAME(batch) *)batches->found + batch;
}

INLINE NAME(vector) * NAME(find_inside)(const struct exact_batches *batches, uint32_t entry)
{
    return (NAME(vector) *)batches->grid->inside + entry;
}

/* Adds the entry's bytes to those left in its sections of the batch, or takes them off again. */
INLINE void NAME(add_bytes)(struct exact_batches *batches, uint32_t batch, uint32_t entry,
                            bool left)
{
    LANE width = (LANE)batches->grid->entry[entry].width;
    struct NAME(batch) *found = NAME(find_batch)(batches, batch);
    assert(batch < batches->grid->batches && entry < batches->grid->entries);
    found->bytes_left += *NAME(find_inside)(batches, entry) & (LANE)(left ? width : -width);
}

INLINE void NAME(restore)(struct exact_batches *batches, const struct exact_saved_batch *saved)
{
    struct NAME(batch) *found = NAME(find_batch)(batches, saved->batch);
    memcpy(&found->floor, saved->found, sizeof saved->found);
}

INLINE void NAME(read)(const struct exact_batches *batches, enum exact_number what, uint32_t begin,
                       uint32_t end, uint64_t *number)
{
    for (uint32_t b = begin / LANES; b < (end + LANES - 1) / LANES; b++) {
        const NAME(vector) *found = &NAME(find_batch)(batches, b)->bytes_left + what;
        for (uint32_t l = 0; l < LANES; l++)
            number[b * LANES + l] = (uint64_t)((const LANE *)found)[l];
        for (uint32_t l = 0; what == EXACT_FLOOR && l < LANES; l++)
            number[b * LANES + l] =
                number[b * LANES + l] == MOST ? UINT64_MAX : number[b * LANES + l];
    }
}
