#include "cli/reproduce/reproduction.h"

#include <assert.h>

#define REPRODUCTION(name) extern const struct reproduction reproduction_##name;
#include "cli/reproduce/reproductions.def"
#undef REPRODUCTION

static const struct reproduction *const rows[] = {
#define REPRODUCTION(name) &reproduction_##name,
#include "cli/reproduce/reproductions.def"
#undef REPRODUCTION
};

uint32_t reproduction_count(void)
{
    return sizeof rows / sizeof *rows;
}

const struct reproduction *reproduction_at(uint32_t index)
{
    assert(index < reproduction_count());
    return rows[index];
}
