/* The command submit-plan: checks a plan of an entry of the collection, holds it against the best
   known value, and writes what is to be sent. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "core/file.h"
#include "core/gzip.h"
#include "datasets/collection.h"
#include "datasets/json/document.h"
#include "harness/best/best_update.h"

/* The digest that a plan file gives of its instance. */
static enum status read_digest(const char *path, char digest[DIGEST_TEXT_BYTES],
                               struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(file_name_has_extension(path, ".gz") ? gzip_read_file(path, &text, error)
                                             : text_read_file(path, &text, error));
    TRY(json_document_read(&text, path, &document, error));
    const struct json_value *field = json_tree_find(&document->tree, document->root, "digest");
    const char *found =
        json_tree_is(field, JSON_TEXT) ? json_tree_text(&document->tree, field) : NULL;
    if (!found || strlen(found) != DIGEST_TEXT_BYTES - 1)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found no \"digest\", expected that of an instance (memplan-plan/1, "
                            "as memplan verify INSTANCE PLAN -o plan.json writes it)");
    memcpy(digest, found, DIGEST_TEXT_BYTES);
    return STATUS_OK;
}

/* Holds the checked plan against the list of best known values. */
static enum status judge(const struct arguments *arguments, const struct witness *witness,
                         bool *is_better, struct error *error)
{
    SCOPED(best_list_free) struct best_list known = {0};
    const struct instance *instance = witness->instance;
    TRY(best_list_read(arguments->best_known, &known, error));
    const struct best_known *line =
        best_list_find(&known, instance->digest, witness->policy, witness->options.bytes);
    uint64_t least_bytes = line ? line->peak_bytes : 0;
    *is_better = !least_bytes || witness->peak_bytes < least_bytes;
    printf("instance     %s\npolicy       %s\nverify       valid\npeak         %" PRIu64 " bytes\n",
           instance->name, witness->policy, witness->peak_bytes);
    if (least_bytes)
        printf("best known   %" PRIu64 " bytes, by %s\n", least_bytes, line->planner);
    if (line && line->lower_bound_bytes)
        printf("lower bound  %" PRIu64 " bytes\n", line->lower_bound_bytes);
    printf("answer       %s\n", *is_better ? "better than the best known"
                                : witness->peak_bytes == least_bytes
                                    ? "as low as the best known"
                                    : "not as low as the best known");
    return STATUS_OK;
}

/* Writes the line and the witness as they belong into the list. */
static enum status write_submission(const struct arguments *arguments,
                                    const struct instance *instance, struct error *error)
{
    SCOPED(best_update_close) struct best_update update = {0};
    SCOPED(text_free) struct text path = {0};
    const char *folder = arguments->output ? arguments->output : "submission";
    TRY(file_create_folder(folder, error));
    text_append(&path, "%s/best_known.csv", folder);
    TRY(text_check(&path, error));
    TRY(best_update_open(path.bytes, &update, error));
    TRY(best_update_take_file(&update, arguments->operand[0], instance, arguments->planners,
                              error));
    TRY(best_update_write(&update, error));
    printf("to send      the folder %s: best_known.csv has the line, best_known the plan\n",
           folder);
    return STATUS_OK;
}

static enum status run_submit_plan(const struct arguments *arguments, struct error *error)
{
    char digest[DIGEST_TEXT_BYTES];
    const char *path = arguments->operand[0];
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(witness_free) struct witness witness = {0};
    bool is_better;
    TRY(read_digest(path, digest, error));
    const struct collection_entry *entry = collection_find(digest, "");
    if (!entry)
        return error_set_at(error, STATUS_NO, path, 0,
                            "found a plan of no entry of " COLLECTION_VERSION
                            ", expected one of memplan list collection");
    TRY(instance_load(entry->name, NULL, &instance, error));
    TRY(witness_read(instance, path, &witness, error));
    TRY(judge(arguments, &witness, &is_better, error));
    return is_better ? write_submission(arguments, instance, error)
                     : error_set(error, STATUS_NO,
                                 "nothing to send, the plan of %s is not lower than the best known",
                                 entry->name);
}

const struct command command_submit_plan = {
    .name = "submit-plan",
    .summary = "check a plan of the collection, and write what is to be sent",
    .operands = "PLAN.json",
    .least = 1,
    .most = 1,
    .options = OPTIONS(OPTION_PLANNER, OPTION_BEST_KNOWN, OPTION_OUTPUT),
    .help = HELP({OPTION_PLANNER, "who made the plan (default: as the file says)"},
                 {OPTION_OUTPUT, "folder of what is to be sent (default submission)"}),
    .description =
        "The plan is a file memplan-plan/1 (.json or .json.gz), which says by a digest of which "
        "entry it is; memplan verify INSTANCE PLAN -o plan.json makes one of a CSV file or of a "
        "solver's solution. It is verified and, for a graph, executed. Where it is lower than the "
        "best known plan, the line and the witness that belong into the list are written into a "
        "folder. Exit code 1 where the plan is refused or not lower.",
    .examples = "memplan submit-plan plan.json --planner 'HiGHS 1.7' --best-known list.csv",
    .run = run_submit_plan,
};
