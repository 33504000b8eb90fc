#include "datasets/generate/distributions.h"

struct generate_geometric generate_geometric_start(uint64_t numerator, uint64_t denominator)
{
    struct generate_geometric geometric = {.digits = 0};
    uint64_t go_on = ((numerator - denominator) << 32) / numerator;
    while (geometric.digits < 32 && go_on > 0) {
        uint64_t digit = (go_on << 32) / ((UINT64_C(1) << 32) + go_on);
        geometric.digit[geometric.digits++] = (uint32_t)digit;
        go_on = (go_on * go_on) >> 32;
    }
    return geometric;
}

uint32_t generate_geometric_draw(const struct generate_geometric *geometric,
                                 struct random_state *random)
{
    uint64_t drawn = 1;
    for (uint32_t i = 0; i < geometric->digits; i++)
        drawn += (uint64_t)((uint32_t)(random_next(random) >> 32) < geometric->digit[i]) << i;
    return drawn < UINT32_MAX ? (uint32_t)drawn : UINT32_MAX;
}

static unsigned count_octaves(uint64_t value)
{
    unsigned octaves = 0;
    while (value >>= 1)
        octaves++;
    return octaves;
}

uint64_t generate_log_uniform(uint64_t smallest, uint64_t largest, struct random_state *random)
{
    /* 2^(i / 8) in units of 2^-15 */
    static const uint64_t step[] = {32768, 35734, 38968, 42495, 46341, 50535, 55109, 60097, 65536};
    unsigned first = count_octaves(smallest);
    unsigned octaves = count_octaves(largest) - first + 1;
    uint64_t size;
    do {
        unsigned octave = first + (unsigned)random_below(random, octaves);
        unsigned part = (unsigned)random_below(random, 8);
        uint64_t scale = step[part] + random_below(random, step[part + 1] - step[part]);
        size = (scale << octave) >> 15;
        if (octave > 15)
            size += random_below(random, UINT64_C(1) << (octave - 15));
    } while (size < smallest || size > largest);
    return size;
}

uint64_t generate_stream_size(struct random_state *random)
{
    enum { LEAST = 1 << 10, MOST = 1 << 20 };
    return LEAST + random_below(random, MOST - LEAST + 1);
}

bool generate_happens(uint64_t percent, struct random_state *random)
{
    return random_below(random, 100) < percent;
}

enum status generate_check_sizes(uint64_t smallest, uint64_t largest, struct error *error)
{
    if (smallest <= largest)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "smallest is %llu, expected at most largest=%llu",
                     (unsigned long long)smallest, (unsigned long long)largest);
}
