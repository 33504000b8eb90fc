#include "dma/program/check.h"

#include <assert.h>

#include "core/memory.h"
#include "core/scratch.h"

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
    struct scratch scratch; /* of all arrays that do not grow */
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

static enum status run_instruction(struct machine *machine,
                                   const struct transfer_instruction *instruction)
{
    static const enum phase after[] = {[TRANSFER_WAIT] = PHASE_ARRIVED,
                                       [TRANSFER_CANCEL] = PHASE_FREE,
                                       [TRANSFER_KEEP] = PHASE_KEPT,
                                       [TRANSFER_DROP] = PHASE_FREE};
    bool drops = instruction->action == TRANSFER_DROP;
    if (instruction->buffer >= machine->program->buffers)
        return refuse(machine, instruction, "there is no such buffer");
    if (instruction->action == TRANSFER_START)
        return start(machine, instruction);
    if (instruction->action == TRANSFER_COMPUTE)
        return compute(machine, instruction);

    /* The others end a transfer, or a drop what is kept. */
    struct slot *slot = &machine->slot[instruction->buffer];
    if (!holds(slot, drops ? PHASE_KEPT : PHASE_TRAVELLING, instruction->op))
        return refuse(machine, instruction,
                      drops ? "no such weights are kept" : "no such transfer is under way");
    uint32_t i = 0;
    while (machine->occupied[i].buffer != instruction->buffer)
        i++;
    assert(i < machine->occupied_count);
    slot->phase = machine->occupied[i].phase = after[instruction->action];
    if (slot->phase != PHASE_KEPT)
        machine->occupied[i] = machine->occupied[--machine->occupied_count];
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

    /* Buffers whose weights were computed with become free. */
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

/* Called for each region that may follow the one that has just run. The first time it notes what is
   under way and puts the region on the list of those to run; later times the same must be under
   way. */
static enum status reach(struct machine *machine, uint32_t r)
{
    uint32_t count = machine->occupied_count;
    if (!machine->reached[r]) {
        machine->entered[r] = (struct span){machine->pending_count, count};
        TRY(memory_reserve(&machine->pending, &machine->pending_capacity,
                           (size_t)machine->pending_count + count, sizeof *machine->pending,
                           machine->error));
        for (uint32_t i = 0; i < count; i++)
            machine->pending[machine->pending_count++] = machine->occupied[i];
        machine->reached[r] = true;
        assert(machine->open_count < machine->program->regions->count);
        machine->open[machine->open_count++] = r;
        return STATUS_OK;
    }
    bool same = machine->entered[r].count == count;
    for (uint32_t i = 0; same && i < count; i++) {
        const struct pending *pending = &machine->pending[machine->entered[r].first + i];
        same = holds(&machine->slot[pending->buffer], pending->phase, pending->op);
    }
    if (same)
        return STATUS_OK;
    return error_set(machine->error, STATUS_NO,
                     "paths on which other transfers are under way, or other weights kept, meet "
                     "before operator %u",
                     machine->program->regions->region[r].begin);
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

static enum status run_program(struct machine *machine)
{
    const struct transfer_regions *regions = machine->program->regions;
    TRY(reach(machine, 0));
    while (machine->open_count) {
        uint32_t r = machine->open[--machine->open_count];
        const struct transfer_region *region = &regions->region[r];

        /* The machine is put into the state in which the region was first reached. */
        for (uint32_t i = 0; i < machine->occupied_count; i++)
            machine->slot[machine->occupied[i].buffer].phase = PHASE_FREE;
        machine->occupied_count = 0;
        for (uint32_t i = 0; i < machine->entered[r].count; i++)
            TRY(occupy(machine, machine->pending[machine->entered[r].first + i]));
        TRY(run_region(machine, r));
        if (region->owner != GRAPH_NONE)
            TRY(reach_after_owner(machine, region));
        else if (region->next != GRAPH_NONE)
            TRY(reach(machine, region->next));
        else
            TRY(reach_after_end(machine, region->graph_region));
    }
    return STATUS_OK;
}

static void clear_machine(struct machine *machine)
{
    scratch_free(&machine->scratch);
    memory_free_all(machine->occupied, machine->pending);
}

enum status transfer_check(const struct transfer_program *program, struct error *error)
{
    SCOPED(clear_machine) struct machine machine = {.program = program, .error = error};
    struct scratch *scratch = &machine.scratch;
    uint32_t count = program->regions->count;
    TRY(scratch_take(scratch, &machine.slot, program->buffers, sizeof *machine.slot, error));
    TRY(scratch_take_all(scratch, count, error, &machine.entered, &machine.reached, &machine.open));
    return run_program(&machine);
}
