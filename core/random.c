#include "core/random.h"

static uint64_t mix_seed(uint64_t *seed)
{
    uint64_t mixed = *seed += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

static uint64_t rotate_left(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

struct random_state random_seed(uint64_t seed)
{
    struct random_state state;
    for (int i = 0; i < 4; i++)
        state.word[i] = mix_seed(&seed);
    return state;
}

uint64_t random_next(struct random_state *state)
{
    uint64_t *word = state->word;
    uint64_t result = rotate_left(word[1] * 5, 7) * 9;
    uint64_t shifted = word[1] << 17;
    word[2] ^= word[0];
    word[3] ^= word[1];
    word[1] ^= word[2];
    word[0] ^= word[3];
    word[2] ^= shifted;
    word[3] = rotate_left(word[3], 45);
    return result;
}

uint64_t random_below(struct random_state *state, uint64_t bound)
{
    uint64_t rejected = -bound % bound;
    uint64_t value;
    do
        value = random_next(state);
    while (value < rejected);
    return value % bound;
}
