/* The command merge: joins results databases. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/arguments/command.h"
#include "cli/output/print.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/plural.h"
#include "core/text.h"
#include "harness/cluster/submission.h"
#include "results/store/merge.h"

/* The databases to join, and the shards of submissions that are missing or incomplete. */
struct inputs {
    struct names paths;
    struct text incomplete;
    uint32_t shards, lacking;
};

static enum status add_shard(const struct submission *submission, uint32_t shard,
                             struct inputs *inputs, struct error *error)
{
    struct shard_status found;
    SCOPED(text_free) struct text path = {0};
    TRY(submission_append_database(submission, shard, &path, error));
    TRY(submission_look(submission, shard, &found, error));
    inputs->shards++;
    if (found.state != SHARD_COMPLETE)
        text_append(&inputs->incomplete, "%s%u ", inputs->lacking++ ? ", " : "", shard);
    if (found.state == SHARD_MISSING) {
        text_append(&inputs->incomplete, "(missing)");
        return STATUS_OK;
    }
    if (found.state != SHARD_COMPLETE)
        text_append(&inputs->incomplete, "(%" PRIu64 " row%s)", found.rows,
                    plural_ending(found.rows));
    return names_add(&inputs->paths, path.bytes, error);
}

static enum status add_operand(const char *name, struct inputs *inputs, struct error *error)
{
    struct stat found;
    if (stat(name, &found) == 0 && S_ISDIR(found.st_mode)) {
        struct submission submission;
        TRY(submission_open(name, &submission, error));
        for (uint32_t shard = 1; shard <= submission.shards; shard++)
            TRY(add_shard(&submission, shard, inputs, error));
        return text_check(&inputs->incomplete, error);
    }
    return names_add(&inputs->paths, name, error);
}

static enum status merge_inputs(const struct arguments *arguments, const struct inputs *inputs,
                                struct error *error)
{
    uint32_t count = inputs->paths.count;
    SCOPED(memory_release) const char **path = NULL;
    SCOPED(memory_release) struct merge_counts *counts = NULL;
    TRY(memory_create_all(count, error, &path, &counts));
    for (uint32_t i = 0; i < count; i++)
        path[i] = names_get(&inputs->paths, i);
    const struct merge_request request = {path, count, arguments->newest};
    TRY(merge_stores(&request, arguments->output, counts, error));
    for (uint32_t i = 0; i < count; i++) {
        char replaced[64] = "";
        if (counts[i].replaced)
            snprintf(replaced, sizeof replaced, ", %" PRIu64 " of which the newest stays",
                     counts[i].replaced);
        print_lines("%s: %" PRIu64 " row%s added, %" PRIu64 " already there%s\n", path[i],
                    counts[i].added, plural_ending(counts[i].added), counts[i].known, replaced);
    }
    return STATUS_OK;
}

static void clear_inputs(struct inputs *inputs)
{
    names_free(&inputs->paths);
    text_free(&inputs->incomplete);
}

static enum status run_merge(const struct arguments *arguments, struct error *error)
{
    SCOPED(clear_inputs) struct inputs inputs = {.shards = 0};
    if (!arguments->output)
        return error_set(error, STATUS_USAGE, "no database to write to, expected -o FILE");
    for (uint32_t i = 0; i < arguments->operands; i++)
        TRY(add_operand(arguments->operand[i], &inputs, error));
    if (inputs.paths.count)
        TRY(merge_inputs(arguments, &inputs, error));
    if (!inputs.lacking)
        return STATUS_OK;
    return error_set(error, STATUS_NO, "not complete: %u of %u shards: %s", inputs.lacking,
                     inputs.shards, inputs.incomplete.bytes);
}

const struct command command_merge = {
    .name = "merge",
    .summary = "join results databases, of shards or machines",
    .operands = "DATABASE|FOLDER...",
    .least = 1,
    .most = UINT32_MAX,
    .options = OPTIONS(OPTION_OUTPUT, OPTION_NEWEST),
    .description =
        "Adds every row, layout and measure of the databases to the one named by -o, which is made "
        "if it is not there; all of them, or nothing where one cannot be read. A row that is there "
        "already is not doubled, so that merging again changes nothing. Where two databases have "
        "different results of one job (same run label, instance, policy, planner, options, "
        "settings, seed, repetition), the exit code is 1 and nothing is written, unless --newest "
        "says which to keep. A folder stands for the shards that submit has measured there: where "
        "some are not complete, what there is of them is joined and the exit code is 1.",
    .examples = "memplan merge shard-1.db shard-2.db -o all.db\n"
                "memplan merge laptop.db server.db -o both.db --newest\n"
                "memplan merge memplan-shards -o all.db",
    .run = run_merge,
};
