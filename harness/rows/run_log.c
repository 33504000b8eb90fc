#include "harness/rows/run_log.h"

#include <string.h>

#include "harness/rows/noise.h"
#include "memplan_commit.h"
#include "results/store/runs.h"

/* Appends the label that the user has given, or that of the run to be resumed; nothing where the
   run needs a new one. */
static enum status append_label(struct store *store, const struct run_request *request,
                                struct run_log *log, struct error *error)
{
    SCOPED(text_free) struct text words = {0};
    const char *second = strchr(request->command, ' ');
    size_t length = second ? (size_t)(second + 1 - request->command) + strcspn(second + 1, " ") : 0;
    if (request->label) {
        text_append(&log->label, "%s", request->label);
    } else if (request->resume) {
        text_append(&words, "%.*s", (int)length, request->command);
        TRY(text_check(&words, error));
        TRY(runs_find_newest(store, log->row.build, words.bytes, &log->label, error));
    }
    return text_check(&log->label, error);
}

enum status run_log_begin(struct store *store, const struct run_request *request,
                          struct run_log *log, struct error *error)
{
    *log = (struct run_log){.timed_threads = request->timed_threads};
    record_context_fill(&log->record, "");
    strcpy(log->started, log->record.started);
    machine_describe("", &log->machine);
    machine_look("", &log->state);
    log->row = (struct run_row){.started = log->started,
                                .ended = "",
                                .command = request->command,
                                .build = log->record.build,
                                .source_commit = MEMPLAN_COMMIT,
                                .host = log->machine.host,
                                .cpu = log->machine.cpu,
                                .cores = log->machine.cores,
                                .memory_bytes = log->machine.memory_bytes,
                                .kernel = log->machine.kernel,
                                .governor = log->machine.governor,
                                .turbo = log->machine.turbo,
                                .throttled = "",
                                .noise = "",
                                .load_start_thousandths = log->state.load_thousandths};
    if (log->timed_threads) {
        const struct noise_facts facts = {.threads = log->timed_threads,
                                          .load_thousandths = log->state.load_thousandths,
                                          .spread_ppm = noise_measure_spread(),
                                          .governor = log->machine.governor};
        log->own_ns = noise_own_ns();
        noise_describe(&facts, &log->noise);
        TRY(text_check(&log->noise, error));
        log->row.noise = log->noise.bytes ? log->noise.bytes : "";
    }
    TRY(append_label(store, request, log, error));
    if (log->label.length) {
        log->row.label = log->label.bytes;
        TRY(runs_write(store, &log->row, error));
    } else {
        /* Writes the run under a new label of date, time and commit. The time is without seconds,
           which are of no use; a label that is taken already gets a number appended. */
        SCOPED(text_free) struct text wished = {0};
        text_append(&wished, "%.16s%s%s", log->started, *MEMPLAN_COMMIT_SHORT ? "_" : "",
                    MEMPLAN_COMMIT_SHORT);
        TRY(text_check(&wished, error));
        log->row.label = wished.bytes;
        TRY(runs_write_new(store, &log->row, &log->label, error));
    }
    log->record.run = log->row.label = log->label.bytes;
    return STATUS_OK;
}

enum status run_log_end(struct store *store, struct run_log *log, struct error *error)
{
    struct machine_state state;
    machine_look("", &state);
    record_time_now(log->ended);
    log->row.ended = log->ended;
    log->row.load_end_thousandths = state.load_thousandths;
    if (state.tells_throttle)
        log->row.throttled = state.throttle_events > log->state.throttle_events ? "yes" : "no";
    if (log->timed_threads) {
        struct noise_facts facts = {.threads = log->timed_threads,
                                    .load_thousandths = state.load_thousandths,
                                    .throttled = strcmp(log->row.throttled, "yes") == 0,
                                    .governor = "",
                                    .spread_ppm = noise_measure_spread()};
        noise_find_shares(&log->state, &state, noise_own_ns() - log->own_ns, &facts);
        noise_describe(&facts, &log->noise_after);
        if (log->noise_after.length)
            text_append(&log->noise, "%safterwards %s", log->noise.length ? "; " : "",
                        log->noise_after.bytes);
        TRY(text_check(&log->noise_after, error));
        TRY(text_check(&log->noise, error));
        log->row.noise = log->noise.bytes ? log->noise.bytes : "";
    }
    return runs_write(store, &log->row, error);
}

void run_log_free(struct run_log *log)
{
    text_free(&log->label);
    text_free(&log->noise);
    text_free(&log->noise_after);
}
