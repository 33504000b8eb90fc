#include "cli/dma/execute.h"

#include <stdio.h>
#include <string.h>

#include "dma/measured/calibration.h"
#include "dma/measured/measured.h"
#include "dma/program/paths.h"

/* These modes are always run, beside the one that was asked for. */
static const char *const always[] = {"sync", "pingpong"};

struct executor {
    const struct transfer_run *run;
    const struct measured_model *model;
    const uint32_t *chosen;
    struct json_tree *facts;
    struct error *error;
};

static enum status execute_program(const struct executor *executor, const char *mode,
                                   const struct transfer_program *program)
{
    struct measured_times times;
    TRY(measured_run(program, executor->model, executor->chosen, &times, executor->error));
    double modelled_ns = times.modelled_ns ? (double)times.modelled_ns : 1;
    json_build_open(executor->facts, NULL, JSON_OBJECT);
    json_build_text(executor->facts, "mode", mode);
    json_build_count(executor->facts, "modelled_ns", times.modelled_ns);
    json_build_count(executor->facts, "median_ns", times.median_ns);
    json_build_count(executor->facts, "least_ns", times.least_ns);
    json_build_count(executor->facts, "most_ns", times.most_ns);
    json_build_count(executor->facts, "runs", times.runs);
    json_build_real(executor->facts, "error_percent",
                    100 * ((double)times.median_ns - modelled_ns) / modelled_ns);
    json_build_close(executor->facts);
    return STATUS_OK;
}

static enum status execute_mode(const struct executor *executor, const char *name)
{
    const struct transfer_task task = {executor->run->regions, &executor->model->costs, 0};
    const struct transfer_mode *mode;
    SCOPED(transfer_program_release) struct transfer_program *program = NULL;
    TRY(transfer_modes_find(name, &mode, executor->error));
    TRY(transfer_modes_build(mode, &task, &program, executor->error));
    return execute_program(executor, name, program);
}

static enum status add_modes(const struct executor *executor)
{
    json_build_open(executor->facts, "modes", JSON_ARRAY);
    bool done = false;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        TRY(execute_mode(executor, always[i]));
        done |= strcmp(always[i], executor->run->mode->name) == 0;
    }
    TRY(done ? STATUS_OK
             : execute_program(executor, executor->run->mode->name, executor->run->program));
    json_build_close(executor->facts);
    return STATUS_OK;
}

enum status dma_execute_add(const struct transfer_run *run, struct json_tree *facts,
                            struct error *error)
{
    SCOPED(measured_model_clear) struct measured_model model = {0};
    TRY(measured_model_create(run->regions, run->costs, &model, error));
    SCOPED(transfer_path_clear) struct transfer_path path = {0};
    struct executor executor = {.run = run, .model = &model, .facts = facts, .error = error};
    TRY(transfer_paths_likeliest(run->regions, &path, error));
    executor.chosen = path.chosen;
    json_build_open(facts, "execution", JSON_OBJECT);
    json_build_text(facts, "path", path.name.bytes ? path.name.bytes : "");
    json_build_count(facts, "copy_bytes_per_second", model.calibration.copy_bytes_per_second);
    json_build_count(facts, "copy_start_ns", model.calibration.copy_start_ns);
    json_build_real(facts, "round_ns", model.calibration.round_ns);
    json_build_real(facts, "contention", model.calibration.contention);
    json_build_real(facts, "scale", model.scale);
    TRY(add_modes(&executor));
    json_build_close(facts);
    return STATUS_OK;
}

static double get_ms(const struct json_tree *facts, const struct json_value *object,
                     const char *key)
{
    return (double)json_get_integer(facts, object, key) / 1e6;
}

static void print_mode(const struct json_tree *facts, const struct json_value *mode)
{
    printf("%-12s %12.3f %12.3f %12.3f %12.3f %+8.1f\n", json_get_text(facts, mode, "mode"),
           get_ms(facts, mode, "modelled_ns"), get_ms(facts, mode, "median_ns"),
           get_ms(facts, mode, "least_ns"), get_ms(facts, mode, "most_ns"),
           json_get_real(facts, mode, "error_percent"));
}

void dma_execute_print(const struct json_tree *facts)
{
    const struct json_value *execution = json_tree_find(facts, json_tree_root(facts), "execution");
    const struct json_value *modes = json_tree_find(facts, execution, "modes");
    const char *path = json_get_text(facts, execution, "path");
    printf("\nthis machine %.2f GB/s and %.0f ns for a copy, %.1f ns for a round of arithmetic\n"
           "             (%.0f %% more while copying), %.4g ns for each of computing there%s%s\n",
           (double)json_get_integer(facts, execution, "copy_bytes_per_second") / 1e9,
           (double)json_get_integer(facts, execution, "copy_start_ns"),
           json_get_real(facts, execution, "round_ns"),
           100 * json_get_real(facts, execution, "contention"),
           json_get_real(facts, execution, "scale"), *path ? ", path " : "", path);
    printf("\n%-12s %12s %12s %12s %12s %8s\n", "mode", "modelled ms", "median ms", "least ms",
           "most ms", "error %");
    for (const struct json_value *mode = json_tree_first(modes); mode;
         mode = json_tree_next(modes, mode))
        print_mode(facts, mode);
}
