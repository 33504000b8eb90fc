#include "datasets/hlo/assignment.h"

#include <ctype.h>
#include <stdlib.h>

#include "core/binary_search.h"
#include "core/compare.h"
#include "core/memory.h"
#include "datasets/hlo/hlo.h"

/* Numbers of fields in the schema. */
enum { HLO_MODULE = 1, HLO_ASSIGNMENT = 3, SNAPSHOT_HLO = 1 };
enum { MODULE_NAME = 1, MODULE_COMPUTATION = 3 };
enum { ASSIGNMENT_ALLOCATION = 3, ASSIGNMENT_TRACE = 4 };
enum { ALLOCATION_INDEX = 1, ALLOCATION_SIZE = 2, ALLOCATION_ASSIGNED = 9 };
enum { ASSIGNED_BUFFER = 1, ASSIGNED_OFFSET = 2, ASSIGNED_SIZE = 3 };
enum { TRACE_EVENT = 1 };
enum { EVENT_KIND = 1, EVENT_BUFFER = 2, EVENT_INSTRUCTION = 4, EVENT_CANONICAL = 5 };
enum { ALLOCATE, FREE, SHARE };

/* Whether all of it is a message that has a printable name and computations, as a module has. */
static bool is_module(struct wire wire)
{
    struct wire_field field;
    bool found, named = false, computes = false;
    for (;;) {
        if (wire_next(&wire, &field, &found))
            return false;
        if (!found)
            return named && computes;
        computes |= field.number == MODULE_COMPUTATION && field.is_bytes;
        if (field.number != MODULE_NAME)
            continue;
        named = field.is_bytes && field.length > 0;
        for (size_t i = 0; i < field.length; i++)
            named &= isprint(field.bytes[i]) != 0;
        if (!named)
            return false;
    }
}

/* Finds the module in a HloProto or a HloSnapshot, or the file itself is one, and its assignment,
   empty where there is none. */
static bool find_proto(struct wire file, struct wire *module, struct wire *assignment)
{
    const struct wire nothing = wire_open(file.start, 0, file.file, file.error);
    *module = file;
    *assignment = nothing;
    for (int depth = 0; depth < 2 && !is_module(*module); depth++) {
        const struct wire outer = *module;
        *module = *assignment = nothing;
        if (WIRE_READ(outer, {HLO_MODULE, NULL, module}, {HLO_ASSIGNMENT, NULL, assignment}))
            return false;
    }
    return is_module(*module);
}

bool hlo_is_module(const struct text *text)
{
    struct error ignored;
    struct wire module, assignment;
    return find_proto(wire_open(text->bytes, text->length, "", &ignored), &module, &assignment);
}

enum status hlo_open(const struct text *text, const char *file, struct wire *module,
                     struct wire *assignment, struct error *error)
{
    struct wire whole = wire_open(text->bytes, text->length, file, error);
    return find_proto(whole, module, assignment)
               ? STATUS_OK
               : wire_fail(&whole, whole.start, "found no module of XLA, expected HloProto");
}

static enum status read_place(struct hlo_assignment *assignment, struct wire wire,
                              struct hlo_assigned *assigned)
{
    TRY(WIRE_READ(wire, {ASSIGNED_BUFFER, &assigned->buffer, NULL},
                  {ASSIGNED_OFFSET, &assigned->offset, NULL},
                  {ASSIGNED_SIZE, &assigned->bytes, NULL}));
    if (assigned->bytes > INT64_MAX || assigned->offset > INT64_MAX ||
        assigned->offset + assigned->bytes > assigned->allocation_bytes)
        return wire_fail(&wire, wire.end,
                         "found %llu bytes at %llu of an allocation, expected them in its %llu",
                         (unsigned long long)assigned->bytes, (unsigned long long)assigned->offset,
                         (unsigned long long)assigned->allocation_bytes);
    TRY_ADD(assignment->assigned, wire.error, *assigned);
    return STATUS_OK;
}

/* The fields of a message come in any order, so the numbers are looked for first. */
static enum status read_allocation(struct hlo_assignment *assignment, struct wire wire)
{
    struct hlo_assigned allocation = {.buffer = 0};
    struct wire place;
    enum status status;
    TRY(WIRE_READ(wire, {ALLOCATION_INDEX, &allocation.allocation, NULL},
                  {ALLOCATION_SIZE, &allocation.allocation_bytes, NULL}));
    while (wire_each(&wire, ALLOCATION_ASSIGNED, &place, &status)) {
        struct hlo_assigned assigned = allocation;
        TRY(read_place(assignment, place, &assigned));
    }
    return status;
}

COMPARE_MEMBERS(compare_assigned, struct hlo_assigned, buffer, offset)

enum status hlo_assignment_read(struct wire wire, struct hlo_assignment *assignment)
{
    struct wire allocation;
    enum status status;
    *assignment = (struct hlo_assignment){.wire = wire};
    while (wire_each(&wire, ASSIGNMENT_ALLOCATION, &allocation, &status))
        TRY(read_allocation(assignment, allocation));
    TRY(status);
    if (assignment->assigned.count > 0)
        qsort(assignment->assigned.item, assignment->assigned.count,
              sizeof *assignment->assigned.item, compare_assigned);
    for (uint32_t i = 0; i < assignment->assigned.count; i++)
        assignment->assigned.item[i].root = i;
    return STATUS_OK;
}

void hlo_assignment_free(struct hlo_assignment *assignment)
{
    memory_free(assignment->assigned.item);
}

struct hlo_assigned *hlo_assignment_find(const struct hlo_assignment *assignment, uint64_t buffer)
{
    struct hlo_assigned *assigned = assignment->assigned.item;
    uint32_t at = BINARY_SEARCH(i, 0, assignment->assigned.count, assigned[i].buffer >= buffer);
    return at < assignment->assigned.count && assigned[at].buffer == buffer ? &assigned[at] : NULL;
}

struct event {
    uint64_t kind, buffer, canonical;
    struct wire name;
};

/* Goes to the next event of a trace, as wire_each. */
static bool each_event(struct wire *trace, struct event *event, enum status *status)
{
    struct wire message;
    *event = (struct event){.kind = ALLOCATE};
    if (!wire_each(trace, TRACE_EVENT, &message, status))
        return false;
    *status = WIRE_READ(
        message, {EVENT_KIND, &event->kind, NULL}, {EVENT_BUFFER, &event->buffer, NULL},
        {EVENT_CANONICAL, &event->canonical, NULL}, {EVENT_INSTRUCTION, NULL, &event->name});
    return !*status;
}

/* The trace of the largest allocation that is chosen, that of its first event's buffer; *place
   stays NULL where there is none. */
static enum status find_trace(const struct hlo_assignment *assignment, uint64_t memory,
                              struct wire *chosen, const struct hlo_assigned **place)
{
    struct wire wire = assignment->wire, trace, events;
    enum status status;
    *place = NULL;
    while (wire_each(&wire, ASSIGNMENT_TRACE, &trace, &status)) {
        struct event event;
        events = trace;
        const struct hlo_assigned *first = each_event(&events, &event, &status)
                                               ? hlo_assignment_find(assignment, event.buffer)
                                               : NULL;
        TRY(status);
        if (first && (memory == CARRIED_ANY || memory == first->allocation) &&
            (!*place || first->allocation_bytes > (*place)->allocation_bytes)) {
            *place = first;
            *chosen = trace;
        }
    }
    return status;
}

static struct hlo_assigned *find_root(const struct hlo_assignment *assignment,
                                      struct hlo_assigned *assigned)
{
    while (assignment->assigned.item[assigned->root].root != assigned->root)
        assigned->root = assignment->assigned.item[assigned->root].root;
    return &assignment->assigned.item[assigned->root];
}

static enum status play_event(struct hlo_assignment *assignment, const struct wire *trace,
                              uint32_t step, const struct event *event)
{
    struct hlo_assigned *assigned = hlo_assignment_find(assignment, event->buffer);
    struct hlo_assigned *canonical = NULL;
    if (event->kind == SHARE)
        canonical = hlo_assignment_find(assignment, event->canonical);
    if (!assigned || event->kind > SHARE || (event->kind == SHARE && !canonical))
        return wire_fail(trace, trace->next,
                         "found event %u of kind %llu of buffer %llu, expected an allocation, a "
                         "free or a share of a buffer with a place",
                         step, (unsigned long long)event->kind, (unsigned long long)event->buffer);
    struct hlo_assigned *root = find_root(assignment, assigned);
    if (canonical) {
        canonical = find_root(assignment, canonical);
        canonical->holders++;
        root->root = canonical->root;
    } else if (event->kind == FREE) {
        root->holders -= root->holders > 0;
        root->upper = step;
    } else {
        root->lower = root->holders++ ? root->lower : step;
        root->name = event->name.next;
        root->name_bytes = (size_t)(event->name.end - event->name.next);
    }
    return STATUS_OK;
}

/* Buffers without an event, and those that are never freed, live to the end. */
static enum status add_buffers(struct hlo_assignment *assignment, uint64_t allocation,
                               uint32_t steps, struct carried *carried, struct error *error)
{
    SCOPED(text_free) struct text name = {0};
    for (uint32_t i = 0; i < assignment->assigned.count; i++) {
        const struct hlo_assigned *assigned = &assignment->assigned.item[i];
        if (assigned->allocation != allocation || assigned->root != i || assigned->bytes == 0)
            continue;
        bool is_freed = assigned->holders == 0 && assigned->upper > assigned->lower;
        name.length = 0;
        text_append(&name, "%llu%s", (unsigned long long)assigned->buffer,
                    assigned->name_bytes ? " " : "");
        if (assigned->name_bytes)
            text_append_bytes(&name, (const char *)assigned->name, assigned->name_bytes);
        TRY(text_check(&name, error));
        const struct carried_buffer buffer = {name.bytes, assigned->bytes, assigned->offset};
        TRY(carried_add(carried, &buffer, error));
        TRY(carried_add_segment(carried, assigned->lower, is_freed ? assigned->upper : steps,
                                error));
    }
    return STATUS_OK;
}

static enum status read_trace(struct hlo_assignment *assignment, struct wire trace,
                              const struct hlo_assigned *place, struct carried *carried,
                              struct error *error)
{
    struct wire events = trace;
    struct event event;
    enum status status;
    uint32_t steps = 0;
    for (; each_event(&events, &event, &status); steps++)
        TRY(play_event(assignment, &events, steps, &event));
    TRY(status);
    TRY(carried_create(carried, trace.file, error));
    carried->arena_bytes = place->allocation_bytes;
    TRY(add_buffers(assignment, place->allocation, steps, carried, error));
    if (carried->problem->buffers == 0)
        return wire_fail(&trace, trace.next,
                         "found no buffer with bytes in the allocation, expected one");
    return carried_finish(carried, 1, error);
}

enum status hlo_read(const struct text *text, const char *file, const struct carried_choice *choice,
                     struct carried *carried, struct error *error)
{
    SCOPED(hlo_assignment_free) struct hlo_assignment assignment = {0};
    const struct hlo_assigned *place;
    struct wire module, wire, trace = {0};
    *carried = (struct carried){.problem = NULL};
    TRY(hlo_open(text, file, &module, &wire, error));
    TRY(hlo_assignment_read(wire, &assignment));
    TRY(find_trace(&assignment, choice->memory, &trace, &place));
    if (place)
        return read_trace(&assignment, trace, place, carried, error);
    return choice->memory == CARRIED_ANY
               ? STATUS_OK
               : wire_fail(&wire, wire.end,
                           "found no heap simulator trace of that allocation, expected one");
}
