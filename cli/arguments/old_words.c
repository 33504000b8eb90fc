#include "cli/arguments/old_words.h"

#include <string.h>

#include "core/rows.h"

static const struct old_option options[] = {
    {"best", "json", NULL, OPTION_FORMAT, "json"},
    {"list", "json", NULL, OPTION_LIST_FORMAT, "json"},
    {NULL, "json", NULL, OPTION_FACTS, "json"},
    {"list", "bibtex", NULL, OPTION_LIST_FORMAT, "bibtex"},
    {NULL, "lifetimes", "MEANING", OPTION_DIALECT, ""},
    {NULL, "search-tolerance", "PERCENT", OPTION_TOLERANCE, "search="},
    {NULL, "node-tolerance", "PERCENT", OPTION_TOLERANCE, "nodes="},
    {"bench", "seeds", "1-10,20", OPTION_SEEDS, ""},
    {"bench", "front", NULL, OPTION_MOVES_FRONT, "front"},
    {"standings", "only", "NAME", OPTION_MINE, ""},
    {"submit", "partition", "NAME", OPTION_SBATCH, "partition="},
    {"submit", "time", "TIME", OPTION_SBATCH, "time="},
    {"submit", "mem", "SIZE", OPTION_SBATCH, "mem="},
    {"submit", "cpus-per-task", "N", OPTION_SBATCH, "cpus-per-task="},
    {"submit", "array-limit", "N", OPTION_SBATCH, "array-limit="},
    {"info", "policies", NULL, OPTION_POLICIES, "all"},
    {"bench", "policies", "NAMES", OPTION_POLICIES, ""},
    {"versus", "policies", "NAMES", OPTION_POLICIES, ""},
    {"dma", "store", "FILE.db", OPTION_DB, ""},
    {"generate", "buffers", "N", OPTION_SET, "buffers="},
    {"generate", "capacity", "BYTES", OPTION_SET, "capacity="},
    {"generate", "live", "N", OPTION_SET, "live="},
    {"generate", "steps", "N", OPTION_SET, "steps="},
    {"generate", "operators", "N", OPTION_SET, "operators="},
    {"generate", "depth", "N", OPTION_SET, "depth="},
    {"generate", "width", "N", OPTION_SET, "width="},
    {"generate", "escape", "PERCENT", OPTION_SET, "escape="},
    {"generate", "loops", "PERCENT", OPTION_SET, "loops="},
    {"generate", "target", "PLANNER", OPTION_SET, "target="},
    {"generate", "level", "N", OPTION_SET, "level="},
};
_Static_assert(sizeof options / sizeof *options <= OLD_OPTIONS_MOST, "old options");

ROWS_DEFINE(old_options, struct old_option, options);

bool old_option_is_of(const struct old_option *old, const struct command *command)
{
    return old->command ? strcmp(old->command, command->name) == 0
                        : command_accepts(command, old->now);
}

static const struct old_command commands[] = {
    {"execute", "verify", "--execute"},
    {"rows", "table", "rows"},
};

const struct old_command *old_command_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}
