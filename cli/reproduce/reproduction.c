#include "cli/reproduce/reproduction.h"

#include "core/rows.h"

#define REPRODUCTION(name) extern const struct reproduction reproduction_##name;
#include "cli/reproduce/reproductions.def"
#undef REPRODUCTION

static const struct reproduction *const rows[] = {
#define REPRODUCTION(name) &reproduction_##name,
#include "cli/reproduce/reproductions.def"
#undef REPRODUCTION
};

ROWS_DEFINE_POINTERS(reproduction, struct reproduction, rows);
