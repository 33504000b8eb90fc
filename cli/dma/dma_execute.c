#include "cli/dma/dma_execute.h"

#include <stdio.h>
#include <string.h>

#include "dma/measured/measured.h"
#include "dma/program/paths.h"

static const char *const always[] = {"sync", "pingpong"};

struct executor {
    const struct transfer_run *run;
    const struct measured_model *model;
    const uint32_t *chosen;
    json_t *modes;
    struct error *error;
};

static enum status execute_program(const struct executor *executor, const char *mode,
                                   const struct transfer_program *program)
{
    struct measured_times times;
    TRY(measured_run(program, executor->model, executor->chosen, &times, executor->error));
    double modelled_ns = times.modelled_ns ? (double)times.modelled_ns : 1;
    json_array_append_new(
        executor->modes,
        json_pack("{ss sI sI sI sI si sf}", "mode", mode, "modelled_ns",
                  (json_int_t)times.modelled_ns, "median_ns", (json_int_t)times.median_ns,
                  "least_ns", (json_int_t)times.least_ns, "most_ns", (json_int_t)times.most_ns,
                  "runs", (int)times.runs, "error_percent",
                  100 * ((double)times.median_ns - modelled_ns) / modelled_ns));
    return STATUS_OK;
}

static enum status execute_mode(const struct executor *executor, const char *name)
{
    const struct transfer_task task = {executor->run->regions, &executor->model->costs, 0};
    const struct transfer_mode *mode;
    struct transfer_program *program;
    TRY(transfer_modes_find(name, &mode, executor->error));
    TRY(transfer_modes_build(mode, &task, &program, executor->error));
    enum status status = execute_program(executor, name, program);
    transfer_program_free(program);
    return status;
}

static enum status execute_modes(const struct executor *executor)
{
    bool done = false;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        TRY(execute_mode(executor, always[i]));
        done |= strcmp(always[i], executor->run->mode->name) == 0;
    }
    return done ? STATUS_OK
                : execute_program(executor, executor->run->mode->name, executor->run->program);
}

static enum status execute_path(const struct transfer_run *run, const struct measured_model *model,
                                json_t *facts, struct error *error)
{
    struct transfer_path path = {0};
    struct executor executor = {.run = run, .model = model, .modes = json_array(), .error = error};
    enum status status = transfer_paths_likeliest(run->regions, &path, error);
    executor.chosen = path.chosen;
    if (!status)
        status = execute_modes(&executor);
    json_t *execution =
        json_pack("{ss sI sI sf sf sf so}", "path", path.name.bytes ? path.name.bytes : "",
                  "copy_bytes_per_second", (json_int_t)model->calibration.copy_bytes_per_second,
                  "copy_start_ns", (json_int_t)model->calibration.copy_start_ns, "round_ns",
                  model->calibration.round_ns, "contention", model->calibration.contention, "scale",
                  model->scale, "modes", executor.modes);
    json_object_set_new(facts, "execution", execution);
    transfer_path_clear(&path);
    return status;
}

enum status dma_execute_add(const struct transfer_run *run, json_t *facts, struct error *error)
{
    struct measured_model model = {0};
    enum status status = measured_model_create(run->regions, run->costs, &model, error);
    if (!status)
        status = execute_path(run, &model, facts, error);
    measured_model_clear(&model);
    return status;
}

static double get_ms(const json_t *object, const char *key)
{
    return (double)json_integer_value(json_object_get(object, key)) / 1e6;
}

void dma_execute_print(const json_t *facts)
{
    const json_t *execution = json_object_get(facts, "execution");
    const json_t *modes = json_object_get(execution, "modes");
    const char *path = json_string_value(json_object_get(execution, "path"));
    printf("\nthis machine %.2f GB/s and %.0f ns for a copy, %.1f ns for a round of arithmetic\n"
           "             (%.0f %% more while copying), %.4g ns for each of computing there%s%s\n",
           (double)json_integer_value(json_object_get(execution, "copy_bytes_per_second")) / 1e9,
           get_ms(execution, "copy_start_ns") * 1e6,
           json_real_value(json_object_get(execution, "round_ns")),
           100 * json_real_value(json_object_get(execution, "contention")),
           json_real_value(json_object_get(execution, "scale")), path && *path ? ", path " : "",
           path ? path : "");
    printf("\n%-12s %12s %12s %12s %12s %8s\n", "mode", "modelled ms", "median ms", "least ms",
           "most ms", "error %");
    for (size_t i = 0; i < json_array_size(modes); i++) {
        const json_t *mode = json_array_get(modes, i);
        printf("%-12s %12.3f %12.3f %12.3f %12.3f %+8.1f\n",
               json_string_value(json_object_get(mode, "mode")), get_ms(mode, "modelled_ns"),
               get_ms(mode, "median_ns"), get_ms(mode, "least_ns"), get_ms(mode, "most_ns"),
               json_real_value(json_object_get(mode, "error_percent")));
    }
}
