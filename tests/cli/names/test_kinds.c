#include "cli/names/kinds.h"

#include <stdio.h>
#include <string.h>

#include "support/testing.h"

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
};

static const struct command_table known = {commands, sizeof commands / sizeof *commands, "1.0"};

/* What is completed is listed. */
static void test_named(void)
{
    uint32_t named = 0;
    for (enum option_id id = 0; id < OPTION_END; id++) {
        const char *kind = option_rows_at(id)->kind;
        CU_ASSERT(!kind || kind_find(kind));
        named += kind != NULL;
    }
    CU_ASSERT(named > 8);
    for (uint32_t i = 0; i < known.count; i++) {
        CU_ASSERT(!commands[i]->kind || kind_find(commands[i]->kind));
        CU_ASSERT(command_find(&known, commands[i]->name) == commands[i]);
    }
    CU_ASSERT_PTR_NULL(command_find(&known, "nothing"));
}

/* Every row of every kind has a name and a title, each name once; only options that mean different
   things to commands may share one. */
static void test_rows(void)
{
    struct registry registry = {0};
    const struct arguments arguments = {.registry = &registry, .known = &known};
    for (uint32_t k = 0; k < kind_count(); k++) {
        const struct kind *kind = kind_at(k);
        CU_ASSERT(kind->count(&arguments) > 1);
        for (uint32_t i = 0; i < kind->count(&arguments); i++) {
            const struct kind_row row = kind->row(&arguments, i);
            CU_ASSERT(row.name && *row.name && row.title && *row.title);
            for (uint32_t j = 0; j < i && strcmp(kind->name, "options") != 0; j++)
                CU_ASSERT(strcmp(kind->row(&arguments, j).name, row.name) != 0);
        }
    }
}

static const struct test_case cases[] = {
    {"what is completed is listed", test_named},
    {"names and titles", test_rows},
};

TESTING_MAIN("cli/names/kinds", cases)
