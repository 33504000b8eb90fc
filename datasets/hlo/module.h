#ifndef MEMPLAN_DATASETS_HLO_MODULE_H
#define MEMPLAN_DATASETS_HLO_MODULE_H

#include "datasets/assembly/assembly.h"
#include "datasets/hlo/assignment.h"

/* A module of XLA as its file has it. A leaf is a part of an instruction's value that is no tuple;
   the leaves of a value stand one after another, in the order of its shape. */

enum { HLO_MOST_DEPTH = 64 };

enum hlo_rule {
    HLO_PLAIN,
    HLO_PARAMETER,
    HLO_CONSTANT,
    HLO_TUPLE,     /* the values of all operands */
    HLO_VIEW,      /* the value of the first operand */
    HLO_ELEMENT,   /* an element of the first operand */
    HLO_POINTWISE, /* reads each element for the last time when it writes the one at its place */
    HLO_UPDATE,    /* writes a part of its first operand */
    HLO_START,     /* an element of what it makes is its operands */
    HLO_DONE,      /* an element of what the start of it made */
    HLO_CALL,
    HLO_WHILE,
    HLO_CONDITIONAL,
};

/* What is known of an opcode (opcodes.def). */
struct hlo_opcode {
    const char *name;
    enum hlo_rule rule;
    int element; /* of HLO_START and HLO_DONE; HLO_WHOLE: all of it */
};
#define HLO_WHOLE (-1)

struct hlo_leaf {
    struct wire_place shape;
    const struct hlo_assigned *place; /* NULL: the file says none */
};

struct hlo_instruction {
    uint64_t id, parameter, index; /* index: that of an element */
    struct wire_place name, opcode;
    const struct hlo_opcode *known;
    struct span operands, called, waits; /* module->number: ids; waits: for what comes before */
    struct span elements;                /* of a tuple; module->number: the first leaf of each */
    struct span leaves;
};

struct hlo_computation {
    uint64_t id, root;
    struct span instructions,
        sequence;           /* sequence: module->number, ids in the order of the schedule */
    struct span parameters; /* module->number: instructions by their numbers */
    struct span leaves;
    bool is_scheduled;
};

/* What is found by a key: computations and instructions by their ids, leaves by their paths. */
enum hlo_kind { HLO_COMPUTATION, HLO_INSTRUCTION, HLO_LEAF, HLO_KINDS };

struct hlo_key {
    uint64_t key;
    uint32_t index;
};

struct hlo_module {
    struct wire wire, aliases; /* aliases: input_output_alias, of outputs and parameters */
    LIST_OF(struct hlo_computation) computation;
    LIST_OF(struct hlo_instruction) instruction;
    LIST_OF(struct hlo_leaf) leaf;
    struct wire_numbers number;
    LIST_OF(struct hlo_key) keys[HLO_KINDS]; /* sorted */
    struct hlo_assignment assignment;
    uint32_t entry;
};

/* Reads the computations, the schedule, and what the assignment says of the places of leaves. The
   caller frees the module, also after an error. STATUS_BAD_INPUT for ids that occur twice or that
   nothing has. O(n log n). */
enum status hlo_module_read(struct wire wire, struct wire assignment, struct hlo_module *module);
void hlo_module_free(struct hlo_module *module);

/* The index of what has a key, GRAPH_NONE for none. O(log n). */
uint32_t hlo_find(const struct hlo_module *module, enum hlo_kind kind, uint64_t key);

/* Parameter `number` of a computation. */
const struct hlo_instruction *hlo_parameter(const struct hlo_module *module,
                                            const struct hlo_computation *computation,
                                            uint32_t number);

/* The leaf of an instruction's value to which the numbers of elements in a field of a message lead,
   GRAPH_NONE for none. */
enum status hlo_find_leaf(struct hlo_module *module, uint64_t instruction, struct wire wire,
                          uint32_t number, uint32_t *leaf);

/* The shape of a leaf, with the bytes that the assignment says or else those that follow from type,
   dimensions and tiles. A token is a byte outside of the arena, and what is in another space than
   `memory` is outside, too. O(rank) amortised. STATUS_BAD_INPUT for what has no size. */
enum status hlo_shape(struct hlo_module *module, uint32_t leaf, uint64_t memory,
                      struct assembly_shape *shape);

#endif
