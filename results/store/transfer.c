#include "results/store/transfer.h"

#include <string.h>

#include "results/store/merge.h"
#include "results/store/runs.h"
#include "results/store/sqlite.h"

static bool is_wanted(const struct transfer *transfer, const char *label)
{
    for (uint32_t i = 0; i < transfer->labels; i++)
        if (strcmp(transfer->label[i], label) == 0)
            return true;
    return !transfer->labels;
}

static bool has_run(const struct run_list *runs, const char *label)
{
    for (uint32_t i = 0; i < runs->count; i++)
        if (strcmp(runs->run[i].run.label, label) == 0)
            return true;
    return false;
}

static enum status refuse_missing(const char *source, const struct run_list *runs,
                                  const char *label, struct error *error)
{
    struct text known = {0};
    for (uint32_t i = 0; i < runs->count; i++)
        text_append(&known, "%s%s", i ? ", " : "", runs->run[i].run.label);
    error_set_at(error, STATUS_NO, source, 0, "no run '%s', there are: %s", label,
                 known.bytes && !known.failed ? known.bytes : "none");
    text_free(&known);
    return STATUS_NO;
}

/* Checks the labels in both files before anything is copied. */
static enum status check_labels(const struct transfer *transfer, const struct run_list *source,
                                struct store *target, struct error *error)
{
    SCOPED(runs_free) struct run_list there = {0};
    for (uint32_t i = 0; i < transfer->labels; i++)
        if (!has_run(source, transfer->label[i]))
            return refuse_missing(transfer->source, source, transfer->label[i], error);
    TRY(runs_list(target, &there, error));
    for (uint32_t i = 0; i < source->count; i++) {
        const char *label = source->run[i].run.label;
        if (is_wanted(transfer, label) && has_run(&there, label))
            TRY(error_set_at(error, STATUS_NO, target->path, 0,
                             "has a run '%s' already: delete it first, or take another file",
                             label));
    }
    return STATUS_OK;
}

/* Copies the wanted runs, the oldest first, so that they keep their order. */
static enum status copy_runs(struct store *target, struct store *source,
                             const struct transfer *transfer, const struct run_list *runs,
                             struct transferred *done, struct error *error)
{
    for (uint32_t i = runs->count; i--;) {
        const char *label = runs->run[i].run.label;
        if (!is_wanted(transfer, label))
            continue;
        TRY(merge_run(target, source, label, error));
        done->runs++;
        done->rows += runs->run[i].rows;
    }
    return STATUS_OK;
}

enum status transfer_runs(struct store *target, const struct transfer *transfer,
                          struct transferred *done, struct error *error)
{
    struct run_list runs = {0};
    struct store *source;
    *done = (struct transferred){0};
    TRY(store_open(transfer->source, STORE_READ, &source, error));
    enum status status = runs_list(source, &runs, error);
    if (!status)
        status = check_labels(transfer, &runs, target, error);
    if (!status)
        status = sqlite_begin(target, error);
    if (!status)
        status = sqlite_end(target, copy_runs(target, source, transfer, &runs, done, error), error);
    runs_free(&runs);
    store_close(source);
    return status;
}
