#ifndef MEMPLAN_DATASETS_EXECUTORCH_METHOD_H
#define MEMPLAN_DATASETS_EXECUTORCH_METHOD_H

#include "core/scratch.h"
#include "datasets/flatbuffer/flatbuffer.h"

/* A method of a program (ExecutionPlan in schema/program.fbs of pytorch/executorch, with the fields
   at cff6f4dd32e6), as far as it decides about memory. */

#define METHOD_NONE UINT32_MAX

/* A value that is a tensor with a place in a memory; memory 0 for all others. */
struct method_value {
    uint32_t memory;
    bool is_state; /* it has an initial value, which the method may change */
    uint8_t type;
    uint64_t offset, bytes; /* bytes: 0 for a tensor without elements */
    size_t at;              /* byte offset in the file, for messages */
};

struct method {
    const struct flatbuffer *file;
    struct flatbuffer_table table;
    struct flatbuffer_vector name;
    struct flatbuffer_vector values, inputs, outputs, operators, instructions;
    struct flatbuffer_vector arenas; /* wide; the bytes of each memory, the first is unused */
    struct method_value *value;      /* [values.count] */
    uint64_t work;                   /* see method_charge */
};

/* Reads all but the values. */
enum status method_open(const struct flatbuffer *file, const struct flatbuffer_table *table,
                        struct method *method);
enum status method_read_values(struct method *method, struct scratch *scratch);

/* The byte of the file at which a planned tensor names its place: the offset from there to a table
   of memory, low and high half of the offset in it, which are its fields 0 to 2. */
enum status method_place(const struct method *method, uint32_t value, size_t *at);

/* What an instruction does to values, as the schema numbers it. */
enum method_call { METHOD_KERNEL = 1, METHOD_DELEGATE, METHOD_MOVE, METHOD_JUMP, METHOD_FREE };
struct method_instruction {
    enum method_call call;
    size_t at;
    struct flatbuffer_vector operator_name; /* of a kernel */
    struct flatbuffer_vector arguments;     /* of a kernel or delegate: values */
    uint32_t from, to; /* of a move; of a jump the condition's value, and the instruction */
};
enum status method_instruction(const struct method *method, uint32_t index,
                               struct method_instruction *instruction);

/* Whether the value is the truth value `false`, where no instruction writes it. */
enum status method_is_false(const struct method *method, uint32_t value, bool *is_false);

/* The values that an argument names: itself, or the items of a list of tensors. */
struct method_items {
    struct flatbuffer_vector list;
    uint32_t single, count;
};
enum status method_items(const struct method *method, uint32_t value, struct method_items *items);
/* METHOD_NONE for an optional tensor that is left out. STATUS_BAD_INPUT for no value. */
enum status method_item(const struct method *method, const struct method_items *items,
                        uint32_t index, uint32_t *value);

/* Counts work, which a small hostile file could make large; fails beyond a limit. */
enum status method_charge(struct method *method, uint64_t work);

#endif
