#include "datasets/hlo/module.h"

#include <stdlib.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/checked.h"
#include "core/compare.h"
#include "core/memory.h"
#include "core/quick_hash.h"
#include "planning/graph/dtype.h"

/* Numbers of fields in the schema. */
enum { MODULE_COMPUTATION = 3, MODULE_ENTRY = 6, MODULE_SCHEDULE = 7, MODULE_ALIASES = 8 };
enum { COMPUTATION_INSTRUCTION = 2, COMPUTATION_ID = 5, COMPUTATION_ROOT = 6 };
enum { INSTRUCTION_NAME = 1, INSTRUCTION_OPCODE = 2, INSTRUCTION_SHAPE = 3 };
enum { INSTRUCTION_PARAMETER = 9, INSTRUCTION_INDEX = 13, INSTRUCTION_ID = 35 };
enum { INSTRUCTION_OPERANDS = 36, INSTRUCTION_WAITS = 37, INSTRUCTION_CALLED = 38 };
enum { SCHEDULE_SEQUENCE = 1, SEQUENCE_ID = 1, SEQUENCE_VALUE = 2, VALUE_IDS = 1 };
enum { SHAPE_TYPE = 2, SHAPE_DIMENSIONS = 3, SHAPE_ELEMENT = 4, SHAPE_LAYOUT = 5 };
enum { LAYOUT_ORDER = 1, LAYOUT_TILE = 6, LAYOUT_BITS = 7, LAYOUT_MEMORY = 8, LAYOUT_LEVELS = 9 };
enum { TILE_DIMENSIONS = 1 };
enum { ASSIGNMENT_BUFFER = 1, BUFFER_ID = 1, BUFFER_AT = 3, AT_INDEX = 3, AT_INSTRUCTION = 4 };
enum { TYPE_TUPLE = 13, TYPE_TOKEN = 17 };
enum { MOST_RANK = 64 };

static const struct hlo_opcode opcodes[] = {
#define OPCODE(name, rule, element) {name, rule, element},
#include "datasets/hlo/opcodes.def"
#undef OPCODE
    {NULL, HLO_PLAIN, 0}, /* any other */
};

void hlo_module_free(struct hlo_module *module)
{
    memory_free_all(module->computation.item, module->instruction.item, module->leaf.item,
                    module->number.item, module->keys[HLO_COMPUTATION].item,
                    module->keys[HLO_INSTRUCTION].item, module->keys[HLO_LEAF].item);
    hlo_assignment_free(&module->assignment);
}

/* The key of an element of what has a key. */
static uint64_t find_path(uint64_t key, uint64_t number)
{
    return quick_hash((uint64_t[]){key, number}, 2 * sizeof key);
}

static enum status add_key(struct hlo_module *module, enum hlo_kind kind, uint64_t key,
                           uint32_t index)
{
    TRY_ADD(module->keys[kind], module->wire.error, (struct hlo_key){key, index});
    return STATUS_OK;
}

COMPARE_MEMBERS(compare_keys, struct hlo_key, key, index)

static enum status sort_keys(const struct hlo_module *module)
{
    for (enum hlo_kind kind = HLO_COMPUTATION; kind < HLO_KINDS; kind++) {
        struct hlo_key *item = module->keys[kind].item;
        if (item)
            qsort(item, module->keys[kind].count, sizeof *item, compare_keys);
        for (uint32_t i = 1; i < module->keys[kind].count; i++)
            if (kind != HLO_LEAF && item[i].key == item[i - 1].key)
                return wire_fail(&module->wire, module->wire.next,
                                 "found id %llu twice, expected each once",
                                 (unsigned long long)item[i].key);
    }
    return STATUS_OK;
}

uint32_t hlo_find(const struct hlo_module *module, enum hlo_kind kind, uint64_t key)
{
    const struct hlo_key *item = module->keys[kind].item;
    uint32_t count = module->keys[kind].count;
    uint32_t at = BINARY_SEARCH(i, 0, count, item[i].key >= key);
    return at < count && item[at].key == key ? item[at].index : GRAPH_NONE;
}

const struct hlo_instruction *hlo_parameter(const struct hlo_module *module,
                                            const struct hlo_computation *computation,
                                            uint32_t number)
{
    return &module->instruction.item[module->number.item[computation->parameters.first + number]];
}

/* Adds the leaves of a value under their keys; top: where its elements begin, too. */
static enum status add_leaves(struct hlo_module *module, struct wire shape, unsigned depth,
                              uint64_t key)
{
    uint64_t type = 0;
    struct wire element;
    enum status status;
    if (depth == HLO_MOST_DEPTH)
        return wire_fail(&shape, shape.next, "found tuples nested deeper than %d, expected less",
                         HLO_MOST_DEPTH);
    TRY(WIRE_READ(shape, {SHAPE_TYPE, &type, NULL}));
    if (type != TYPE_TUPLE) {
        TRY_ADD(module->leaf, shape.error, (struct hlo_leaf){.shape = wire_place(&shape)});
        return add_key(module, HLO_LEAF, key, module->leaf.count - 1);
    }
    for (uint64_t number = 0; wire_each(&shape, SHAPE_ELEMENT, &element, &status); number++) {
        if (depth == 0)
            TRY(wire_add_number(&module->number, module->leaf.count, shape.error));
        TRY(add_leaves(module, element, depth + 1, find_path(key, number)));
    }
    return status;
}

static enum status add_numbers(struct hlo_module *module, struct wire wire, uint32_t number,
                               struct span *span)
{
    span->first = module->number.count;
    TRY(wire_numbers(wire, number, &module->number));
    span->count = module->number.count - span->first;
    return STATUS_OK;
}

static const struct hlo_opcode *find_opcode(struct wire_place name)
{
    const struct hlo_opcode *opcode = opcodes;
    size_t length = (size_t)(name.end - name.next);
    while (opcode->name &&
           (strlen(opcode->name) != length || memcmp(opcode->name, name.next, length) != 0))
        opcode++;
    return opcode;
}

static enum status add_instruction(struct hlo_module *module, struct wire wire)
{
    struct wire empty = wire;
    empty.next = empty.end;
    struct hlo_instruction added = {.leaves.first = module->leaf.count};
    struct wire shape = empty, name = empty, opcode = empty;
    TRY(WIRE_READ(wire, {INSTRUCTION_ID, &added.id, NULL}, {INSTRUCTION_NAME, NULL, &name},
                  {INSTRUCTION_OPCODE, NULL, &opcode}, {INSTRUCTION_SHAPE, NULL, &shape},
                  {INSTRUCTION_PARAMETER, &added.parameter, NULL},
                  {INSTRUCTION_INDEX, &added.index, NULL}));
    TRY(add_numbers(module, wire, INSTRUCTION_OPERANDS, &added.operands));
    TRY(add_numbers(module, wire, INSTRUCTION_WAITS, &added.waits));
    TRY(add_numbers(module, wire, INSTRUCTION_CALLED, &added.called));
    added.elements.first = module->number.count;
    TRY(add_leaves(module, shape, 0, added.id));
    added.elements.count = module->number.count - added.elements.first;
    added.leaves.count = module->leaf.count - added.leaves.first;
    added.name = wire_place(&name);
    added.opcode = wire_place(&opcode);
    added.known = find_opcode(added.opcode);
    TRY_ADD(module->instruction, wire.error, added);
    return add_key(module, HLO_INSTRUCTION, added.id, module->instruction.count - 1);
}

/* Sorts the parameters of a computation by their numbers, which have to be 0, 1, and so on. */
static enum status list_parameters(struct hlo_module *module, const struct wire *wire,
                                   struct hlo_computation *added)
{
    uint32_t first = module->number.count, end = module->instruction.count;
    for (uint32_t i = added->instructions.first; i < end; i++)
        if (module->instruction.item[i].known->rule == HLO_PARAMETER)
            TRY(wire_add_number(&module->number, GRAPH_NONE, wire->error));
    added->parameters = (struct span){first, module->number.count - first};
    for (uint32_t i = added->instructions.first; i < end; i++) {
        const struct hlo_instruction *in = &module->instruction.item[i];
        if (in->known->rule != HLO_PARAMETER)
            continue;
        if (in->parameter >= added->parameters.count ||
            module->number.item[first + in->parameter] != GRAPH_NONE)
            return wire_fail(wire, wire->next, "found parameter %llu, expected each of %u once",
                             (unsigned long long)in->parameter, added->parameters.count);
        module->number.item[first + in->parameter] = i;
    }
    return STATUS_OK;
}

static enum status add_computation(struct hlo_module *module, struct wire wire)
{
    struct hlo_computation added = {.instructions.first = module->instruction.count,
                                    .leaves.first = module->leaf.count};
    struct wire instructions = wire, instruction;
    enum status status;
    TRY(WIRE_READ(wire, {COMPUTATION_ID, &added.id, NULL}, {COMPUTATION_ROOT, &added.root, NULL}));
    while (wire_each(&instructions, COMPUTATION_INSTRUCTION, &instruction, &status))
        TRY(add_instruction(module, instruction));
    TRY(status);
    added.instructions.count = module->instruction.count - added.instructions.first;
    added.leaves.count = module->leaf.count - added.leaves.first;
    TRY(list_parameters(module, &wire, &added));
    TRY_ADD(module->computation, wire.error, added);
    return add_key(module, HLO_COMPUTATION, added.id, module->computation.count - 1);
}

/* The order of the instructions of a computation, where the schedule has it. */
static enum status read_schedule(struct hlo_module *module, struct wire schedule)
{
    struct wire sequence, ids;
    enum status status;
    while (wire_each(&schedule, SCHEDULE_SEQUENCE, &sequence, &status)) {
        uint64_t id = 0;
        ids = sequence;
        ids.next = ids.end;
        TRY(WIRE_READ(sequence, {SEQUENCE_ID, &id, NULL}, {SEQUENCE_VALUE, NULL, &ids}));
        uint32_t computation = hlo_find(module, HLO_COMPUTATION, id);
        if (computation == GRAPH_NONE)
            return wire_fail(&sequence, sequence.next,
                             "found a schedule of computation %llu, expected one of the module",
                             (unsigned long long)id);
        module->computation.item[computation].is_scheduled = true;
        TRY(add_numbers(module, ids, VALUE_IDS, &module->computation.item[computation].sequence));
    }
    return status;
}

enum status hlo_find_leaf(struct hlo_module *module, uint64_t instruction, struct wire wire,
                          uint32_t number, uint32_t *leaf)
{
    struct span path;
    TRY(add_numbers(module, wire, number, &path));
    for (uint32_t i = 0; i < path.count; i++)
        instruction = find_path(instruction, module->number.item[path.first + i]);
    module->number.count = path.first;
    *leaf = hlo_find(module, HLO_LEAF, instruction);
    return STATUS_OK;
}

/* Where the leaves are that the assignment calls logical buffers. */
static enum status read_buffers(struct hlo_module *module)
{
    struct wire wire = module->assignment.wire, buffer;
    enum status status;
    while (wire_each(&wire, ASSIGNMENT_BUFFER, &buffer, &status)) {
        uint64_t id = 0, instruction = 0;
        uint32_t leaf;
        struct wire at = buffer;
        at.next = at.end;
        TRY(WIRE_READ(buffer, {BUFFER_ID, &id, NULL}, {BUFFER_AT, NULL, &at}));
        TRY(WIRE_READ(at, {AT_INSTRUCTION, &instruction, NULL}));
        TRY(hlo_find_leaf(module, instruction, at, AT_INDEX, &leaf));
        if (leaf != GRAPH_NONE)
            module->leaf.item[leaf].place = hlo_assignment_find(&module->assignment, id);
    }
    return status;
}

enum status hlo_module_read(struct wire wire, struct wire assignment, struct hlo_module *module)
{
    struct wire computations = wire, computation, schedule = wire;
    uint64_t entry = 0;
    enum status status;
    *module = (struct hlo_module){.wire = wire, .aliases = wire};
    schedule.next = module->aliases.next = wire.end;
    TRY(WIRE_READ(wire, {MODULE_ENTRY, &entry, NULL}, {MODULE_SCHEDULE, NULL, &schedule},
                  {MODULE_ALIASES, NULL, &module->aliases}));
    while (wire_each(&computations, MODULE_COMPUTATION, &computation, &status))
        TRY(add_computation(module, computation));
    TRY(status);
    TRY(sort_keys(module));
    TRY(read_schedule(module, schedule));
    TRY(hlo_assignment_read(assignment, &module->assignment));
    TRY(read_buffers(module));
    module->entry = hlo_find(module, HLO_COMPUTATION, entry);
    if (module->entry == GRAPH_NONE)
        return wire_fail(&wire, wire.next, "found no computation %llu to enter, expected one",
                         (unsigned long long)entry);
    return STATUS_OK;
}

/* The elements of a shape whose dimensions stand in the list from `first` on, with those that fill
   up its tiles: the layout's order begins with the dimension whose elements lie side by side, and
   the tile ends with its length there. Tiles in tiles divide each other. *fits: there are less than
   2^64. */
static enum status count_elements(struct wire layout, struct wire_numbers *list, uint32_t first,
                                  uint64_t *elements, bool *fits)
{
    uint32_t rank = list->count - first, order = list->count;
    struct wire tile;
    enum status status;
    TRY(wire_numbers(layout, LAYOUT_ORDER, list));
    bool is_ordered = list->count - order == rank;
    uint32_t begin = list->count;
    if (wire_each(&layout, LAYOUT_TILE, &tile, &status))
        TRY(wire_numbers(tile, TILE_DIMENSIONS, list));
    TRY(status);
    uint32_t tiles = list->count - begin;
    *elements = 1;
    *fits = true;
    for (uint32_t i = 0; i < rank || i < tiles; i++) {
        uint64_t place = is_ordered && i < rank ? list->item[order + i] : rank - 1 - i;
        uint64_t length = i >= rank ? 1 : place < rank ? list->item[first + place] : 0;
        uint64_t piece = i < tiles ? list->item[list->count - 1 - i] : 1;
        *fits &= piece && (i >= rank || place < rank) &&
                 checked_multiply(*elements, piece, elements) &&
                 checked_multiply(*elements, length / piece + (length % piece != 0), elements);
        if (!*fits)
            return STATUS_OK;
    }
    return STATUS_OK;
}

static enum status read_shape(struct wire wire, struct wire_numbers *list, uint64_t memory,
                              struct assembly_shape *shape)
{
    struct wire layout = wire;
    uint32_t first = list->count;
    uint64_t type = 0, bits = 0, space = 0, elements;
    bool fits;
    layout.next = layout.end;
    TRY(WIRE_READ(wire, {SHAPE_TYPE, &type, NULL}, {SHAPE_LAYOUT, NULL, &layout}));
    *shape = (struct assembly_shape){.bytes = 1, .external = true};
    if (type == TYPE_TOKEN)
        return STATUS_OK;
    TRY(wire_numbers(layout, LAYOUT_LEVELS, list));
    for (uint32_t i = first; i < list->count; i++)
        if (list->item[i])
            return wire_fail(&layout, layout.next, "found a sparse layout, expected a dense one");
    list->count = first;
    if (!assembly_set_type(shape, element_type_find(ELEMENT_XLA, type)))
        return wire_fail(&wire, wire.next, "found an array of type %llu, expected one with a size",
                         (unsigned long long)type);
    TRY(WIRE_READ(layout, {LAYOUT_BITS, &bits, NULL}, {LAYOUT_MEMORY, &space, NULL}));
    TRY(wire_numbers(wire, SHAPE_DIMENSIONS, list));
    shape->external = space != memory;
    shape->rank = list->count - first;
    for (uint32_t i = 0; i < shape->rank && i < GRAPH_MOST_DIMENSIONS; i++)
        shape->dimension[i] = list->item[first + i];
    shape->layout = quick_hash(layout.next, (size_t)(layout.end - layout.next));
    if (bits)
        shape->element_bits = bits <= UINT8_MAX ? (uint32_t)bits : UINT32_MAX;
    TRY(count_elements(layout, list, first, &elements, &fits));
    if (!fits || !checked_multiply(elements, shape->element_bits, &shape->bytes))
        return wire_fail(&wire, wire.next,
                         "found a shape of 2^64 bits or more, without a bound or with a layout of "
                         "another rank, expected less");
    shape->bytes = shape->bytes / 8 + (shape->bytes % 8 != 0);
    return STATUS_OK;
}

enum status hlo_shape(struct hlo_module *module, uint32_t leaf, uint64_t memory,
                      struct assembly_shape *shape)
{
    const struct hlo_leaf *shaped = &module->leaf.item[leaf];
    uint32_t before = module->number.count;
    uint64_t bytes;
    TRY(read_shape(wire_at(&module->wire, shaped->shape), &module->number, memory, shape));
    module->number.count = before;
    if (shaped->place)
        shape->bytes = shaped->place->bytes;
    shape->has_dtype &= shape->rank <= GRAPH_MOST_DIMENSIONS &&
                        graph_shape_bytes(shape->dtype, shape->dimension, shape->rank, &bytes) &&
                        bytes == shape->bytes;
    return STATUS_OK;
}
