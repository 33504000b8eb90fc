#include <string.h>

#include "core/memory.h"
#include "datasets/executorch/executorch.h"
#include "datasets/executorch/lifetimes.h"
#include "datasets/executorch/program.h"

enum { PROGRAM_PLANS = 1, BUNDLE_PROGRAM = 2 };
static const char program_identifier[] = "ET12", bundle_identifier[] = "BP08";

static bool has_identifier(const char *bytes, size_t length, const char *identifier)
{
    return length >= 8 && memcmp(bytes + 4, identifier, 4) == 0;
}

bool executorch_is_program(const struct text *text)
{
    return has_identifier(text->bytes, text->length, program_identifier) ||
           has_identifier(text->bytes, text->length, bundle_identifier);
}

/* The program itself, also where it is in a bundle with tests. */
static enum status open_program(struct flatbuffer *file, struct flatbuffer_table *program)
{
    struct flatbuffer_vector bytes;
    struct flatbuffer_table bundle;
    if (has_identifier((const char *)file->bytes, file->length, bundle_identifier)) {
        TRY(flatbuffer_open(file, bundle_identifier, &bundle));
        TRY(flatbuffer_vector(&bundle, BUNDLE_PROGRAM, 1, "a program", &bytes));
        file->bytes += bytes.at;
        file->length = bytes.count;
    }
    return flatbuffer_open(file, program_identifier, program);
}

static bool is_chosen(const struct carried_choice *choice, const struct method *method)
{
    return !choice->method || (method->name.count == choice->method_length &&
                               memcmp(method->file->bytes + method->name.at, choice->method,
                                      choice->method_length) == 0);
}

/* The method and memory of the greatest arena among those that are chosen, of methods that do
   something. */
static enum status find_arena(const struct flatbuffer *file, const struct flatbuffer_table *program,
                              const struct carried_choice *choice, struct method *chosen,
                              uint32_t *memory)
{
    struct flatbuffer_vector plans;
    uint64_t most = 0;
    *memory = 0;
    TRY(flatbuffer_vector(program, PROGRAM_PLANS, 4, "methods", &plans));
    for (uint32_t p = 0; p < plans.count; p++) {
        struct flatbuffer_table table;
        struct method method;
        TRY(flatbuffer_element_table(&plans, p, "a method", &table));
        TRY(method_open(file, &table, &method));
        if (!is_chosen(choice, &method) || method.instructions.count == 0)
            continue;
        for (uint32_t m = 1; m < method.arenas.count; m++) {
            uint64_t bytes = flatbuffer_element_wide(&method.arenas, m);
            if ((choice->memory != CARRIED_ANY && choice->memory != m) || bytes <= most)
                continue;
            most = bytes;
            *memory = m;
            *chosen = method;
        }
    }
    if (*memory == 0)
        return flatbuffer_fail(file, program->at,
                               "found no method%s that plans memory%s, expected one with "
                               "instructions and an arena",
                               choice->method ? " of that name" : "",
                               choice->memory == CARRIED_ANY ? "" : " there");
    return STATUS_OK;
}

/* Names a buffer by its value and by the operator that writes it. */
static enum status name_buffer(const struct method *method, uint32_t value, uint32_t writer,
                               struct text *name)
{
    struct method_instruction instruction;
    name->length = 0;
    if (writer == METHOD_NONE) {
        text_append(name, "%u %s", value, method->value[value].is_state ? "state" : "input");
        return text_check(name, method->file->error);
    }
    TRY(method_instruction(method, writer, &instruction));
    text_append(name, "%u ", value);
    if (instruction.call == METHOD_KERNEL)
        text_append_bytes(name, (const char *)method->file->bytes + instruction.operator_name.at,
                          instruction.operator_name.count);
    else
        text_append(name, "delegate");
    return text_check(name, method->file->error);
}

enum status program_open(const struct text *text, const char *file,
                         const struct carried_choice *choice, struct program *program,
                         struct error *error)
{
    struct flatbuffer_table root;
    *program =
        (struct program){.file = {(const unsigned char *)text->bytes, text->length, file, error}};
    struct method *method = &program->method;
    TRY(open_program(&program->file, &root));
    TRY(find_arena(&program->file, &root, choice, method, &program->memory));
    TRY(method_read_values(method, &program->scratch));
    return lifetimes_fill(method, &program->lifetimes, &program->scratch);
}

void program_close(struct program *program)
{
    scratch_free(&program->scratch);
}

bool program_is_buffer(const struct program *program, uint32_t value)
{
    return program->method.value[value].memory == program->memory &&
           program->lifetimes.of[value].root == value && program->lifetimes.of[value].upper > 0;
}

static enum status add_life(struct program *program, uint32_t value, struct carried *carried)
{
    struct method *method = &program->method;
    struct error *error = method->file->error;
    const struct lifetime *life = &program->lifetimes.of[value];
    const bool *live = program->lifetimes.flow.live;
    /* An output of a method with jumps is in use at the step behind the last one, too. */
    uint32_t steps = method->instructions.count, lower, upper, end;
    if (lifetimes_is_run(&program->lifetimes, method, value))
        return carried_add_segment(carried, life->lower, life->upper < steps ? life->upper : steps,
                                   error);
    TRY(lifetimes_find_live(&program->lifetimes, method, value, &lower, &upper));
    if (lower >= upper) /* an output that nothing writes */
        return carried_add_segment(carried, steps - 1, steps, error);
    for (; lower < upper; lower = end + 1) {
        for (end = lower; end < upper && live[end];)
            end++;
        if (end > lower)
            TRY(carried_add_segment(carried, lower, end, error));
    }
    return STATUS_OK;
}

static enum status add_buffers(struct program *program, struct carried *carried)
{
    SCOPED(text_free) struct text name = {0};
    struct method *method = &program->method;
    uint32_t memory = program->memory;
    struct error *error = method->file->error;
    for (uint32_t v = 0; v < method->values.count; v++) {
        const struct method_value *value = &method->value[v];
        if (!program_is_buffer(program, v))
            continue;
        TRY(name_buffer(method, v, program->lifetimes.of[v].writer, &name));
        const struct carried_buffer buffer = {name.bytes, value->bytes, value->offset};
        TRY(carried_add(carried, &buffer, error));
        TRY(add_life(program, v, carried));
    }
    if (carried->problem->buffers == 0)
        return flatbuffer_fail(method->file, method->table.at,
                               "found no tensor that is used in memory %u, expected one", memory);
    carried->arena_bytes = flatbuffer_element_wide(&method->arenas, memory);
    return carried_finish(carried, EXECUTORCH_ALIGNMENT, error);
}

enum status executorch_read(const struct text *text, const char *file,
                            const struct carried_choice *choice, struct carried *carried,
                            struct error *error)
{
    SCOPED(program_close) struct program program = {.memory = 0};
    *carried = (struct carried){.problem = NULL};
    TRY(program_open(text, file, choice, &program, error));
    TRY(carried_create(carried, file, error));
    return add_buffers(&program, carried);
}
