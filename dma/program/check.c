#include "dma/program/check.h"

#include <assert.h>

#include "core/memory.h"

/* The state of a buffer: nothing in it is needed; weights are on their way; weights have arrived
   but nobody has computed with them; weights have been computed with; weights are kept. */
enum phase { PHASE_FREE, PHASE_TRAVELLING, PHASE_ARRIVED, PHASE_USED, PHASE_KEPT };

struct slot {
    enum phase phase;
    uint32_t op;
};

/* A transfer under way, or weights that are kept. */
struct pending {
    uint32_t buffer, op;
    enum phase phase;
};

struct machine {
    const struct transfer_program *program;
    struct slot *slot;        /* [buffers] */
    struct pending *occupied; /* [occupied_count] in no particular order */
    uint32_t occupied_count;
    size_t occupied_capacity;
    /* [pending_count] for each region, what is under way or kept when it is entered */
    struct pending *pending;
    uint32_t pending_count;
    size_t pending_capacity;
    struct span *entered; /* [regions] its part of `pending` */
    bool *reached;        /* [regions] whether some path leads to it */
    uint32_t *open;       /* [open_count] regions that were reached but have not run yet */
    uint32_t open_count;
    struct error *error;
};

static const char *get_name(const struct machine *machine, uint32_t o)
{
    const struct graph *graph = machine->program->regions->graph;
    return graph_label(graph, graph->op[o].name);
}

static enum status refuse(const struct machine *machine,
                          const struct transfer_instruction *instruction, const char *why)
{
    return error_set(machine->error, STATUS_NO, "%s %s in alloc%u: %s",
                     transfer_action_name(instruction->action), get_name(machine, instruction->op),
                     instruction->buffer, why);
}

static bool holds(const struct slot *slot, enum phase phase, uint32_t o)
{
    return slot->phase == phase && slot->op == o;
}

static enum status occupy(struct machine *machine, struct pending pending)
{
    TRY(memory_reserve(&machine->occupied, &machine->occupied_capacity,
                       (size_t)machine->occupied_count + 1, sizeof *machine->occupied,
                       machine->error));
    machine->occupied[machine->occupied_count++] = pending;
    machine->slot[pending.buffer] = (struct slot){pending.phase, pending.op};
    return STATUS_OK;
}

static struct pending *find_occupied(const struct machine *machine, uint32_t buffer)
{
    uint32_t i = 0;
    while (machine->occupied[i].buffer != buffer)
        i++;
    assert(i < machine->occupied_count);
    return &machine->occupied[i];
}

static void vacate(struct machine *machine, uint32_t buffer)
{
    struct pending *vacated = find_occupied(machine, buffer);
    *vacated = machine->occupied[--machine->occupied_count];
}

static enum status start(struct machine *machine, const struct transfer_instruction *instruction)
{
    struct slot *slot = &machine->slot[instruction->buffer];
    const struct transfer_program *program = machine->program;
    if (program->regions->weight_bytes[instruction->op] >
        program->buffer_bytes[instruction->buffer])
        return refuse(machine, instruction, "the buffer is too small");
    if (slot->phase == PHASE_TRAVELLING)
        return refuse(machine, instruction, "another transfer is under way to it");
    if (slot->phase == PHASE_ARRIVED || slot->phase == PHASE_KEPT)
        return refuse(machine, instruction, "it would overwrite weights that are still needed");
    return occupy(machine,
                  (struct pending){instruction->buffer, instruction->op, PHASE_TRAVELLING});
}

static enum status end_transfer(struct machine *machine,
                                const struct transfer_instruction *instruction, enum phase phase)
{
    struct slot *slot = &machine->slot[instruction->buffer];
    if (!holds(slot, PHASE_TRAVELLING, instruction->op))
        return refuse(machine, instruction, "no such transfer is under way");
    slot->phase = phase;
    vacate(machine, instruction->buffer);
    return STATUS_OK;
}

static enum status keep(struct machine *machine, const struct transfer_instruction *instruction)
{
    struct slot *slot = &machine->slot[instruction->buffer];
    if (!holds(slot, PHASE_TRAVELLING, instruction->op))
        return refuse(machine, instruction, "no such transfer is under way");
    slot->phase = find_occupied(machine, instruction->buffer)->phase = PHASE_KEPT;
    return STATUS_OK;
}

static enum status drop(struct machine *machine, const struct transfer_instruction *instruction)
{
    struct slot *slot = &machine->slot[instruction->buffer];
    if (!holds(slot, PHASE_KEPT, instruction->op))
        return refuse(machine, instruction, "no such weights are kept");
    slot->phase = PHASE_FREE;
    vacate(machine, instruction->buffer);
    return STATUS_OK;
}

static enum status compute(struct machine *machine, const struct transfer_instruction *instruction)
{
    uint32_t o = instruction->op;
    struct slot *slot = &machine->slot[instruction->buffer];
    if (!machine->program->regions->weight_bytes[o])
        return STATUS_OK;
    if (holds(slot, PHASE_TRAVELLING, o))
        return refuse(machine, instruction, "its weights have not arrived");
    if (holds(slot, PHASE_KEPT, o))
        return STATUS_OK;
    if (!holds(slot, PHASE_ARRIVED, o) && !holds(slot, PHASE_USED, o))
        return refuse(machine, instruction, "its weights are not there");
    slot->phase = PHASE_USED;
    return STATUS_OK;
}

static enum status run_instruction(struct machine *machine,
                                   const struct transfer_instruction *instruction)
{
    if (instruction->buffer >= machine->program->buffers)
        return refuse(machine, instruction, "there is no such buffer");
    switch (instruction->action) {
    case TRANSFER_START:
        return start(machine, instruction);
    case TRANSFER_WAIT:
        return end_transfer(machine, instruction, PHASE_ARRIVED);
    case TRANSFER_CANCEL:
        return end_transfer(machine, instruction, PHASE_FREE);
    case TRANSFER_KEEP:
        return keep(machine, instruction);
    case TRANSFER_DROP:
        return drop(machine, instruction);
    default:
        return compute(machine, instruction);
    }
}

/* At the end of a region, buffers whose weights were computed with become free. It is an error if
   weights have arrived in the region and were not computed with. */
static enum status leave_buffers(struct machine *machine, uint32_t r)
{
    const struct transfer_program *program = machine->program;
    for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
        struct slot *slot = &machine->slot[program->instruction[i].buffer];
        if (slot->phase == PHASE_ARRIVED)
            return error_set(machine->error, STATUS_NO,
                             "the weights of %s arrive in a region that does not compute with them",
                             get_name(machine, slot->op));
        if (slot->phase == PHASE_USED)
            slot->phase = PHASE_FREE;
    }
    return STATUS_OK;
}

static enum status run_region(struct machine *machine, uint32_t r)
{
    const struct transfer_program *program = machine->program;
    const struct transfer_region *region = &program->regions->region[r];
    uint32_t next = region->begin;
    for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
        const struct transfer_instruction *instruction = &program->instruction[i];
        TRY(run_instruction(machine, instruction));
        if (instruction->action == TRANSFER_COMPUTE && instruction->op != next++)
            return refuse(machine, instruction, "it is not its turn");
    }
    if (next != region->end)
        return error_set(machine->error, STATUS_NO, "%s is not computed", get_name(machine, next));
    return leave_buffers(machine, r);
}

static enum status note_entry(struct machine *machine, uint32_t r)
{
    machine->entered[r] = (struct span){machine->pending_count, machine->occupied_count};
    TRY(memory_reserve(&machine->pending, &machine->pending_capacity,
                       (size_t)machine->pending_count + machine->occupied_count,
                       sizeof *machine->pending, machine->error));
    for (uint32_t i = 0; i < machine->occupied_count; i++)
        machine->pending[machine->pending_count++] = machine->occupied[i];
    machine->reached[r] = true;
    assert(machine->open_count < machine->program->regions->count);
    machine->open[machine->open_count++] = r;
    return STATUS_OK;
}

/* Called for each region that may follow the one that has just run. The first time it notes what is
   under way and puts the region on the list of those to run; later times the same must be under
   way. */
static enum status reach(struct machine *machine, uint32_t r)
{
    if (!machine->reached[r])
        return note_entry(machine, r);
    bool same = machine->entered[r].count == machine->occupied_count;
    for (uint32_t i = 0; same && i < machine->occupied_count; i++) {
        const struct pending *pending = &machine->pending[machine->entered[r].first + i];
        same = holds(&machine->slot[pending->buffer], pending->phase, pending->op);
    }
    if (same)
        return STATUS_OK;
    const struct transfer_region *region = &machine->program->regions->region[r];
    return error_set(machine->error, STATUS_NO,
                     "paths on which other transfers are under way, or other weights kept, meet "
                     "before operator %u",
                     region->begin);
}

static enum status reach_after_owner(struct machine *machine, const struct transfer_region *region)
{
    const struct transfer_regions *regions = machine->program->regions;
    const struct graph_operator *owner = &regions->graph->op[region->owner];
    if (owner->loop && owner->trip_count <= 0)
        TRY(reach(machine, region->next));
    if (owner->loop && owner->trip_count == 0)
        return STATUS_OK;
    TRY(reach(machine, regions->first_of[owner->first_region]));
    for (uint32_t g = regions->graph->region[owner->first_region].next;
         !owner->loop && g != GRAPH_NONE; g = regions->graph->region[g].next)
        TRY(reach(machine, regions->first_of[g]));
    return STATUS_OK;
}

static enum status reach_after_end(struct machine *machine, uint32_t graph_region)
{
    const struct transfer_regions *regions = machine->program->regions;
    const struct graph_region *ended = &regions->graph->region[graph_region];
    if (ended->owner == GRAPH_NONE && machine->occupied_count)
        return error_set(machine->error, STATUS_NO,
                         machine->occupied[0].phase == PHASE_KEPT
                             ? "the graph ends while weights are kept"
                             : "the graph ends while a transfer is under way");
    if (ended->owner == GRAPH_NONE)
        return STATUS_OK;
    const struct graph_operator *owner = &regions->graph->op[ended->owner];
    if (owner->loop && ended->next != GRAPH_NONE)
        return reach(machine, regions->first_of[ended->next]);
    if (owner->loop && owner->trip_count != 1)
        TRY(reach(machine, regions->first_of[owner->first_region]));
    return reach(machine, regions->region[regions->before[graph_region]].next);
}

static enum status reach_successors(struct machine *machine, const struct transfer_region *region)
{
    if (region->owner != GRAPH_NONE)
        return reach_after_owner(machine, region);
    return region->next != GRAPH_NONE ? reach(machine, region->next)
                                      : reach_after_end(machine, region->graph_region);
}

/* Puts the machine into the state in which the region was first reached. */
static enum status enter_region(struct machine *machine, uint32_t r)
{
    for (uint32_t i = 0; i < machine->occupied_count; i++)
        machine->slot[machine->occupied[i].buffer].phase = PHASE_FREE;
    machine->occupied_count = 0;
    for (uint32_t i = 0; i < machine->entered[r].count; i++)
        TRY(occupy(machine, machine->pending[machine->entered[r].first + i]));
    return STATUS_OK;
}

static enum status run_program(struct machine *machine)
{
    const struct transfer_regions *regions = machine->program->regions;
    TRY(reach(machine, 0));
    while (machine->open_count) {
        uint32_t r = machine->open[--machine->open_count];
        const struct transfer_region *region = &regions->region[r];
        TRY(enter_region(machine, r));
        TRY(run_region(machine, r));
        TRY(reach_successors(machine, region));
    }
    return STATUS_OK;
}

enum status transfer_check(const struct transfer_program *program, struct error *error)
{
    struct machine machine = {.program = program, .error = error};
    uint32_t count = program->regions->count;
    enum status status;
    TRY_OR_DONE(status,
                memory_create(&machine.slot, program->buffers, sizeof *machine.slot, error));
    TRY_OR_DONE(status, memory_create(&machine.entered, count, sizeof *machine.entered, error));
    TRY_OR_DONE(status, memory_create(&machine.reached, count, sizeof *machine.reached, error));
    TRY_OR_DONE(status, memory_create(&machine.open, count, sizeof *machine.open, error));
    TRY_OR_DONE(status, run_program(&machine));
done:
    memory_free(machine.slot);
    memory_free(machine.occupied);
    memory_free(machine.pending);
    memory_free(machine.entered);
    memory_free(machine.reached);
    memory_free(machine.open);
    return status;
}
