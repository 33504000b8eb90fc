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

/* Checks the labels in both files before anything is copied. */
static enum status check_labels(const struct transfer *transfer, const struct run_list *source,
                                struct store *target, struct error *error)
{
    SCOPED(runs_free) struct run_list there = {0};
    SCOPED(text_free) struct text known = {0};
    for (uint32_t i = 0; i < transfer->labels; i++) {
        if (has_run(source, transfer->label[i]))
            continue;
        for (uint32_t k = 0; k < source->count; k++)
            text_append(&known, "%s%s", k ? ", " : "", source->run[k].run.label);
        return error_set_at(error, STATUS_NO, transfer->source, 0, "no run '%s', there are: %s",
                            transfer->label[i],
                            known.bytes && !known.failed ? known.bytes : "none");
    }
    TRY(runs_list(target, &there, error));
    for (uint32_t i = 0; i < source->count; i++) {
        const char *label = source->run[i].run.label;
        if (is_wanted(transfer, label) && has_run(&there, label))
            return error_set_at(error, STATUS_NO, target->path, 0,
                                "has a run '%s' already: delete it first, or take another file",
                                label);
    }
    return STATUS_OK;
}

enum status transfer_runs(struct store *target, const struct transfer *transfer,
                          struct transferred *done, struct error *error)
{
    SCOPED(runs_free) struct run_list runs = {0};
    SCOPED(store_release) struct store *source = NULL;
    *done = (struct transferred){0};
    TRY(store_open(transfer->source, STORE_READ, &source, error));
    TRY(runs_list(source, &runs, error));
    TRY(check_labels(transfer, &runs, target, error));
    TRY(sqlite_begin(target, error));
    enum status status = STATUS_OK;
    for (uint32_t i = runs.count; i-- && !status;) { /* the oldest first, to keep their order */
        if (!is_wanted(transfer, runs.run[i].run.label))
            continue;
        status = merge_run(target, source, runs.run[i].run.label, error);
        done->runs += !status;
        done->rows += status ? 0 : runs.run[i].rows;
    }
    return sqlite_end(target, status, error);
}
