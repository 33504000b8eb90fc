#include "dma/program/program.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"

enum status transfer_program_create(const struct transfer_regions *regions, uint32_t buffers,
                                    struct transfer_program **created, struct error *error)
{
    SCOPED(transfer_program_release) struct transfer_program *program = NULL;
    assert(buffers > 0);
    TRY(memory_create(&program, 1, sizeof *program, error));
    program->regions = regions;
    program->buffers = buffers;
    TRY(memory_create(&program->first, (size_t)regions->count + 1, sizeof *program->first, error));
    TRY(memory_create(&program->buffer_bytes, buffers, sizeof *program->buffer_bytes, error));
    HAND_OVER(program, created);
}

void transfer_program_free(struct transfer_program *program)
{
    if (!program)
        return;
    memory_free_all(program->first, program->buffer_bytes, program->instruction, program);
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

void transfer_program_print(const struct transfer_program *program, struct text *text)
{
    const struct transfer_regions *regions = program->regions;
    const struct graph *graph = regions->graph;
    for (uint32_t r = 0; r < regions->count; r++) {
        uint32_t g = regions->region[r].graph_region, owner = graph->region[g].owner;
        int indent = 2 * (int)transfer_regions_depth(regions, r);
        if (owner != GRAPH_NONE && regions->first_of[g] == r)
            text_append(text, "%*s%s of %s:\n", indent - 2, "",
                        graph_label(graph, graph->region[g].name),
                        graph_label(graph, graph->op[owner].name));
        for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
            const struct transfer_instruction *instruction = &program->instruction[i];
            uint32_t o = instruction->op;
            text_append(text, "%*s%s %s", indent, "", transfer_action_name(instruction->action),
                        graph_label(graph, graph->op[o].name));
            if (instruction->action == TRANSFER_START)
                text_append(text, " -> alloc%u", instruction->buffer);
            else if (instruction->action == TRANSFER_COMPUTE && regions->weight_bytes[o])
                text_append(text, " (alloc%u)", instruction->buffer);
            text_append(text, "\n");
        }
    }
}
