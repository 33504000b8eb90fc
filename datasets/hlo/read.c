#include "datasets/hlo/hlo.h"

#include <ctype.h>
#include <stdlib.h>

#include "core/binary_search.h"
#include "core/compare.h"
#include "core/file.h"
#include "core/memory.h"
#include "datasets/protobuf/wire.h"

/* Numbers of fields in the schema. */
enum { HLO_MODULE = 1, HLO_ASSIGNMENT = 3, SNAPSHOT_HLO = 1 };
enum { MODULE_NAME = 1, MODULE_ENTRY = 2, MODULE_COMPUTATION = 3 };
enum { ASSIGNMENT_BUFFER = 1, ASSIGNMENT_ALLOCATION = 3, ASSIGNMENT_TRACE = 4 };
enum { BUFFER_ID = 1, BUFFER_SIZE = 2 };
enum { ALLOCATION_INDEX = 1, ALLOCATION_SIZE = 2, ALLOCATION_ASSIGNED = 9 };
enum { ASSIGNED_BUFFER = 1, ASSIGNED_OFFSET = 2, ASSIGNED_SIZE = 3 };
enum { TRACE_EVENT = 1 };
enum { EVENT_KIND = 1, EVENT_BUFFER = 2, EVENT_INSTRUCTION = 4, EVENT_CANONICAL = 5 };
enum { ALLOCATE, FREE, SHARE };

/* A place in an allocation that is assigned to a logical buffer. */
struct assigned {
    uint64_t buffer, allocation, allocation_bytes, offset, bytes;
    const unsigned char *name; /* [name_bytes] of the instruction that allocates it */
    size_t name_bytes;
    uint32_t lower, upper; /* events: the first allocation, the last free; 0 for none */
    uint32_t holders;      /* allocations and shares without a free so far */
    uint32_t root;         /* itself, or the one whose place it shares */
};

struct module {
    struct wire assignment;
    struct assigned *assigned; /* [count] by buffer */
    uint32_t count;
    size_t capacity;
};

/* The first field of a message with a number, as a message; *found. */
static enum status find_message(struct wire wire, uint32_t number, const char *what,
                                struct wire *message, bool *found)
{
    struct wire_field field;
    for (;;) {
        TRY(wire_next(&wire, &field, found));
        if (!*found)
            return STATUS_OK;
        if (field.number == number)
            return wire_message(&wire, &field, what, message);
    }
}

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

/* Finds the HloProto: the file itself, or the one in an HloSnapshot. *is_bare: only a module. */
static bool find_proto(struct wire file, struct wire *proto, bool *is_bare)
{
    struct wire inner;
    bool found;
    *is_bare = is_module(file);
    *proto = file;
    for (int depth = 0; depth < 2 && !*is_bare; depth++) {
        if (find_message(*proto, HLO_MODULE, "a module", &inner, &found) || !found)
            return false;
        if (is_module(inner))
            return true;
        *proto = inner;
    }
    return *is_bare;
}

bool hlo_is_module(const struct text *text)
{
    struct error ignored;
    struct wire proto;
    bool is_bare;
    return find_proto(wire_open(text->bytes, text->length, "", &ignored), &proto, &is_bare);
}

static enum status read_place(struct module *module, struct wire wire, struct assigned *assigned)
{
    struct wire_field field;
    bool found;
    for (;;) {
        TRY(wire_next(&wire, &field, &found));
        if (!found)
            break;
        if (field.number == ASSIGNED_BUFFER)
            assigned->buffer = field.value;
        else if (field.number == ASSIGNED_OFFSET)
            assigned->offset = field.value;
        else if (field.number == ASSIGNED_SIZE)
            assigned->bytes = field.value;
    }
    if (assigned->bytes > INT64_MAX || assigned->offset > INT64_MAX ||
        assigned->offset + assigned->bytes > assigned->allocation_bytes)
        return wire_fail(&wire, wire.end,
                         "found %llu bytes at %llu of an allocation, expected them in its %llu",
                         (unsigned long long)assigned->bytes, (unsigned long long)assigned->offset,
                         (unsigned long long)assigned->allocation_bytes);
    TRY(memory_reserve(&module->assigned, &module->capacity, (size_t)module->count + 1,
                       sizeof *module->assigned, wire.error));
    module->assigned[module->count++] = *assigned;
    return STATUS_OK;
}

/* The fields of a message come in any order, so the numbers are looked for first. */
static enum status read_allocation(struct module *module, struct wire wire)
{
    struct assigned allocation = {.buffer = 0};
    struct wire rest = wire, place;
    struct wire_field field;
    bool found;
    for (;;) {
        TRY(wire_next(&wire, &field, &found));
        if (!found)
            break;
        if (field.number == ALLOCATION_INDEX)
            allocation.allocation = field.value;
        else if (field.number == ALLOCATION_SIZE)
            allocation.allocation_bytes = field.value;
    }
    for (;;) {
        struct assigned assigned = allocation;
        TRY(wire_next(&rest, &field, &found));
        if (!found)
            return STATUS_OK;
        if (field.number != ALLOCATION_ASSIGNED)
            continue;
        TRY(wire_message(&rest, &field, "a place", &place));
        TRY(read_place(module, place, &assigned));
    }
}

COMPARE_MEMBERS(compare_assigned, struct assigned, buffer, offset)

static enum status read_allocations(struct module *module)
{
    struct wire wire = module->assignment, allocation;
    struct wire_field field;
    bool found;
    for (;;) {
        TRY(wire_next(&wire, &field, &found));
        if (!found)
            break;
        if (field.number != ASSIGNMENT_ALLOCATION)
            continue;
        TRY(wire_message(&wire, &field, "an allocation", &allocation));
        TRY(read_allocation(module, allocation));
    }
    if (module->count > 0)
        qsort(module->assigned, module->count, sizeof *module->assigned, compare_assigned);
    for (uint32_t i = 0; i < module->count; i++)
        module->assigned[i].root = i;
    return STATUS_OK;
}

static struct assigned *find_assigned(const struct module *module, uint64_t buffer)
{
    uint32_t at = BINARY_SEARCH(i, 0, module->count, module->assigned[i].buffer >= buffer);
    bool found = at < module->count && module->assigned[at].buffer == buffer;
    return found ? &module->assigned[at] : NULL;
}

struct event {
    uint64_t kind, buffer, canonical;
    struct wire_field name;
};

static enum status read_event(struct wire wire, struct event *event)
{
    struct wire_field field;
    bool found;
    *event = (struct event){.kind = ALLOCATE};
    for (;;) {
        TRY(wire_next(&wire, &field, &found));
        if (!found)
            return STATUS_OK;
        if (field.number == EVENT_KIND)
            event->kind = field.value;
        else if (field.number == EVENT_BUFFER)
            event->buffer = field.value;
        else if (field.number == EVENT_CANONICAL)
            event->canonical = field.value;
        else if (field.number == EVENT_INSTRUCTION && field.is_bytes)
            event->name = field;
    }
}

/* The next event of a trace. */
static enum status next_event(struct wire *trace, struct event *event, bool *found)
{
    struct wire_field field;
    struct wire message;
    do
        TRY(wire_next(trace, &field, found));
    while (*found && field.number != TRACE_EVENT);
    if (!*found)
        return STATUS_OK;
    TRY(wire_message(trace, &field, "an event", &message));
    return read_event(message, event);
}

/* The trace of the largest allocation that is chosen: that of its first event's buffer. */
static enum status find_trace(const struct module *module, const struct carried_choice *choice,
                              struct wire *chosen, const struct assigned **place)
{
    struct wire wire = module->assignment, trace, events;
    struct wire_field field;
    bool found;
    *place = NULL;
    for (;;) {
        struct event event;
        TRY(wire_next(&wire, &field, &found));
        if (!found)
            break;
        if (field.number != ASSIGNMENT_TRACE)
            continue;
        TRY(wire_message(&wire, &field, "a trace", &trace));
        events = trace;
        TRY(next_event(&events, &event, &found));
        const struct assigned *first = found ? find_assigned(module, event.buffer) : NULL;
        if (first && (choice->memory == CARRIED_ANY || choice->memory == first->allocation) &&
            (!*place || first->allocation_bytes > (*place)->allocation_bytes)) {
            *place = first;
            *chosen = trace;
        }
    }
    if (*place)
        return STATUS_OK;
    return wire_fail(&module->assignment, module->assignment.next,
                     "found no heap simulator trace%s that allocates, expected one",
                     choice->memory == CARRIED_ANY ? "" : " of that allocation");
}

static struct assigned *find_root(const struct module *module, struct assigned *assigned)
{
    while (module->assigned[assigned->root].root != assigned->root)
        assigned->root = module->assigned[assigned->root].root;
    return &module->assigned[assigned->root];
}

static enum status play_event(struct module *module, const struct wire *trace, uint32_t step,
                              const struct event *event)
{
    struct assigned *assigned = find_assigned(module, event->buffer);
    struct assigned *canonical = NULL;
    if (event->kind == SHARE)
        canonical = find_assigned(module, event->canonical);
    if (!assigned || event->kind > SHARE || (event->kind == SHARE && !canonical))
        return wire_fail(trace, trace->next,
                         "found event %u of kind %llu of buffer %llu, expected an allocation, a "
                         "free or a share of a buffer with a place",
                         step, (unsigned long long)event->kind, (unsigned long long)event->buffer);
    struct assigned *root = find_root(module, assigned);
    if (canonical) {
        canonical = find_root(module, canonical);
        canonical->holders++;
        root->root = canonical->root;
    } else if (event->kind == FREE) {
        root->holders -= root->holders > 0;
        root->upper = step;
    } else {
        root->lower = root->holders++ ? root->lower : step;
        root->name = event->name.bytes;
        root->name_bytes = event->name.length;
    }
    return STATUS_OK;
}

/* Buffers without an event, and those that are never freed, live to the end. */
static enum status add_buffers(struct module *module, uint64_t allocation, uint32_t steps,
                               struct carried *carried, struct error *error)
{
    SCOPED(text_free) struct text name = {0};
    for (uint32_t i = 0; i < module->count; i++) {
        const struct assigned *assigned = &module->assigned[i];
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

static enum status read_assignment(struct module *module, const char *name,
                                   const struct carried_choice *choice, struct carried *carried,
                                   struct error *error)
{
    struct wire trace = module->assignment, events;
    const struct assigned *place;
    struct event event;
    bool found = true;
    uint32_t steps = 0;
    TRY(read_allocations(module));
    TRY(find_trace(module, choice, &trace, &place));
    uint64_t allocation = place->allocation;
    for (events = trace;; steps++) {
        TRY(next_event(&events, &event, &found));
        if (!found)
            break;
        TRY(play_event(module, &events, steps, &event));
    }
    TRY(carried_create(carried, name, error));
    carried->arena_bytes = place->allocation_bytes;
    TRY(add_buffers(module, allocation, steps, carried, error));
    if (carried->problem->buffers == 0)
        return wire_fail(&trace, trace.next,
                         "found no buffer with bytes in the allocation, expected one");
    return carried_finish(carried, 1, error);
}

static void free_module(struct module *module)
{
    memory_free(module->assigned);
}

enum status hlo_read(const struct text *text, const char *file, const struct carried_choice *choice,
                     struct carried *carried, struct error *error)
{
    SCOPED(free_module) struct module module = {.assigned = NULL};
    SCOPED(memory_release) char *name = file_name_stem(file);
    struct wire whole = wire_open(text->bytes, text->length, file, error), proto;
    bool is_bare, found = false;
    *carried = (struct carried){.problem = NULL};
    if (!name)
        return error_no_memory(error);
    if (!find_proto(whole, &proto, &is_bare))
        return wire_fail(&whole, whole.start, "found no module of XLA, expected HloProto");
    if (!is_bare)
        TRY(find_message(proto, HLO_ASSIGNMENT, "a buffer assignment", &module.assignment, &found));
    if (!found)
        return wire_fail(&proto, proto.next,
                         "found a module without buffer assignment, expected one as XLA dumps it "
                         "after its optimisations");
    return read_assignment(&module, name, choice, carried, error);
}
