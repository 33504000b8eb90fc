/* The command merge: joins results databases. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/arguments/command.h"
#include "core/memory.h"
#include "results/store/merge.h"

static void print_counts(const char *path, const struct merge_counts *counts)
{
    printf("%s: %" PRIu64 " rows added, %" PRIu64 " already there", path, counts->added,
           counts->known);
    if (counts->replaced)
        printf(", %" PRIu64 " of which the newest stays", counts->replaced);
    printf("\n");
}

static enum status run_merge(const struct arguments *arguments, struct error *error)
{
    const struct merge_request request = {
        .path = arguments->operand, .paths = arguments->operands, .newest = arguments->newest};
    struct merge_counts *counts;
    if (!arguments->output)
        return error_set(error, STATUS_USAGE, "no database to write to, expected -o FILE");
    TRY(memory_create(&counts, request.paths, sizeof *counts, error));
    enum status status = merge_stores(&request, arguments->output, counts, error);
    for (uint32_t i = 0; !status && i < request.paths; i++)
        print_counts(request.path[i], &counts[i]);
    memory_free(counts);
    return status;
}

const struct command command_merge = {
    .name = "merge",
    .summary = "join results databases, of shards or machines",
    .operands = "DATABASE...",
    .least = 1,
    .most = UINT32_MAX,
    .options = OPTIONS(OPTION_OUTPUT, OPTION_NEWEST),
    .description =
        "Adds every row, layout and measure of the databases to the one named by -o, which is made "
        "if it is not there; all of them, or nothing where one cannot be read. A row that is there "
        "already is not doubled, so that merging again changes nothing. Where two databases have "
        "different results of one job (same run label, instance, policy, planner, options, "
        "settings, seed, repetition), the exit code is 1 and nothing is written, unless --newest "
        "says which to keep.",
    .examples = "memplan merge shard-1.db shard-2.db -o all.db\n"
                "memplan merge laptop.db server.db -o both.db --newest",
    .run = run_merge,
};
