#include "dma/program/program.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"

static enum status allocate(struct transfer_program *program, struct error *error)
{
    uint32_t count = program->regions->count;
    TRY(memory_create(&program->first, (size_t)count + 1, sizeof *program->first, error));
    return memory_create(&program->buffer_bytes, program->buffers, sizeof *program->buffer_bytes,
                         error);
}

enum status transfer_program_create(const struct transfer_regions *regions, uint32_t buffers,
                                    struct transfer_program **created, struct error *error)
{
    struct transfer_program *program;
    assert(buffers > 0);
    TRY(memory_create(&program, 1, sizeof *program, error));
    program->regions = regions;
    program->buffers = buffers;
    enum status status = allocate(program, error);
    if (status) {
        transfer_program_free(program);
        return status;
    }
    *created = program;
    return STATUS_OK;
}

void transfer_program_free(struct transfer_program *program)
{
    if (!program)
        return;
    memory_free(program->first);
    memory_free(program->buffer_bytes);
    memory_free(program->instruction);
    memory_free(program);
}

enum status transfer_program_add(struct transfer_program *program, enum transfer_action action,
                                 uint32_t op, uint32_t buffer, struct error *error)
{
    uint64_t bytes = program->regions->weight_bytes[op];
    assert(buffer < program->buffers && program->filled < program->regions->count);
    TRY(memory_reserve(&program->instruction, &program->instruction_capacity,
                       (size_t)program->instructions + 1, sizeof *program->instruction, error));
    program->instruction[program->instructions++] =
        (struct transfer_instruction){action, op, buffer};
    if (action == TRANSFER_START && program->buffer_bytes[buffer] < bytes)
        program->buffer_bytes[buffer] = bytes;
    return STATUS_OK;
}

void transfer_program_end_region(struct transfer_program *program)
{
    assert(program->filled < program->regions->count);
    program->first[++program->filled] = program->instructions;
}

bool transfer_program_bytes(const struct transfer_program *program, uint64_t *bytes)
{
    *bytes = 0;
    for (uint32_t b = 0; b < program->buffers; b++)
        if (!checked_add(*bytes, program->buffer_bytes[b], bytes))
            return false;
    return true;
}

const char *transfer_action_name(enum transfer_action action)
{
    static const char *const names[] = {
        [TRANSFER_START] = "start",   [TRANSFER_WAIT] = "wait", [TRANSFER_COMPUTE] = "compute",
        [TRANSFER_CANCEL] = "cancel", [TRANSFER_KEEP] = "keep", [TRANSFER_DROP] = "drop"};
    return names[action];
}

static void print_instruction(const struct transfer_program *program,
                              const struct transfer_instruction *instruction, uint32_t indent,
                              struct text *text)
{
    const struct graph *graph = program->regions->graph;
    uint32_t o = instruction->op;
    text_append(text, "%*s%s %s", (int)indent, "", transfer_action_name(instruction->action),
                graph_label(graph, graph->op[o].name));
    if (instruction->action == TRANSFER_START)
        text_append(text, " -> alloc%u", instruction->buffer);
    else if (instruction->action == TRANSFER_COMPUTE && program->regions->weight_bytes[o])
        text_append(text, " (alloc%u)", instruction->buffer);
    text_append(text, "\n");
}

static void print_region(const struct transfer_program *program, uint32_t r, struct text *text)
{
    const struct graph *graph = program->regions->graph;
    const struct transfer_region *region = &program->regions->region[r];
    const struct graph_region *around = &graph->region[region->graph_region];
    uint32_t indent = 2 * transfer_regions_depth(program->regions, r);
    if (around->owner != GRAPH_NONE && program->regions->first_of[region->graph_region] == r)
        text_append(text, "%*s%s of %s:\n", (int)indent - 2, "", graph_label(graph, around->name),
                    graph_label(graph, graph->op[around->owner].name));
    for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++)
        print_instruction(program, &program->instruction[i], indent, text);
}

void transfer_program_print(const struct transfer_program *program, struct text *text)
{
    for (uint32_t r = 0; r < program->regions->count; r++)
        print_region(program, r, text);
}
