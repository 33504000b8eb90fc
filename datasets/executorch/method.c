#include "datasets/executorch/method.h"

#include <assert.h>

#include "core/checked.h"

/* Numbers of fields in the schema. */
enum { PLAN_NAME, PLAN_VALUES = 2, PLAN_INPUTS, PLAN_OUTPUTS };
enum { PLAN_CHAINS = 5, PLAN_OPERATORS, PLAN_ARENAS = 8 };
enum { VALUE_TYPE, VALUE };
enum { TYPE_BOOL = 3, TYPE_TENSOR = 5, TYPE_TENSOR_LIST = 10, TYPE_OPTIONAL_TENSOR_LIST = 11 };
enum { TENSOR_TYPE, TENSOR_SIZES = 2, TENSOR_DATA = 5, TENSOR_ALLOCATION };
enum { TENSOR_DYNAMISM = 8, TENSOR_EXTRA };
enum { ALLOCATION_MEMORY, ALLOCATION_LOW, ALLOCATION_HIGH };
enum { EXTRA_LOCATION = 2, LOCATION_EXTERNAL = 1, DYNAMIC_UNBOUND = 2 };
enum { CHAIN_INSTRUCTIONS = 2 };
enum { INSTRUCTION_TYPE, INSTRUCTION };
enum { CALL_TARGET, CALL_ARGUMENTS };

static const uint64_t most_work = UINT64_C(1) << 30;

/* Bytes of an element of each type; 0 for none of the schema. */
static const uint8_t type_bytes[] = {1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 1, 1, 4,
                                     2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1, 2, 4, 8};
enum { TYPES = sizeof type_bytes / sizeof *type_bytes };

enum status method_open(const struct flatbuffer *file, const struct flatbuffer_table *table,
                        struct method *method)
{
    struct flatbuffer_vector chains;
    struct flatbuffer_table chain;
    *method = (struct method){.file = file, .table = *table};
    TRY(flatbuffer_vector(table, PLAN_NAME, 1, "a method's name", &method->name));
    TRY(flatbuffer_vector(table, PLAN_VALUES, 4, "values", &method->values));
    TRY(flatbuffer_vector(table, PLAN_INPUTS, 4, "inputs", &method->inputs));
    TRY(flatbuffer_vector(table, PLAN_OUTPUTS, 4, "outputs", &method->outputs));
    TRY(flatbuffer_vector(table, PLAN_OPERATORS, 4, "operators", &method->operators));
    TRY(flatbuffer_vector(table, PLAN_ARENAS, 8, "sizes of memories", &method->arenas));
    TRY(flatbuffer_vector(table, PLAN_CHAINS, 4, "chains", &chains));
    if (chains.count != 1)
        return flatbuffer_fail(file, table->at, "found %u chains of instructions, expected one",
                               chains.count);
    TRY(flatbuffer_element_table(&chains, 0, "a chain", &chain));
    return flatbuffer_vector(&chain, CHAIN_INSTRUCTIONS, 4, "instructions", &method->instructions);
}

static enum status find_bytes(const struct flatbuffer_table *tensor, struct method_value *value)
{
    struct flatbuffer_vector sizes;
    uint64_t type;
    TRY(flatbuffer_number(tensor, TENSOR_TYPE, 1, 0, &type));
    TRY(flatbuffer_vector(tensor, TENSOR_SIZES, 4, "sizes", &sizes));
    if (type >= TYPES)
        return flatbuffer_fail(tensor->buffer, tensor->at,
                               "found a tensor of type %u, expected one below %d", (unsigned)type,
                               TYPES);
    value->type = (uint8_t)type;
    value->bytes = type_bytes[type];
    for (uint32_t i = 0; i < sizes.count; i++) {
        int32_t size = (int32_t)flatbuffer_element(&sizes, i);
        if (size < 0 || !checked_multiply(value->bytes, (uint64_t)size, &value->bytes) ||
            value->bytes > INT64_MAX)
            return flatbuffer_fail(tensor->buffer, sizes.at,
                                   "found size %d of a tensor, expected sizes from 0 on whose "
                                   "product is below 2^63 bytes",
                                   (int)size);
    }
    return STATUS_OK;
}

static enum status read_tensor(const struct method *method, const struct flatbuffer_table *tensor,
                               struct method_value *value)
{
    struct flatbuffer_table allocation, extra;
    bool is_planned, has_extra;
    uint64_t data, dynamism, location = 0, memory, low, high, end;
    TRY(flatbuffer_table(tensor, TENSOR_ALLOCATION, "a place", &is_planned, &allocation));
    TRY(flatbuffer_table(tensor, TENSOR_EXTRA, "more of a tensor", &has_extra, &extra));
    TRY(flatbuffer_number(tensor, TENSOR_DATA, 4, 0, &data));
    TRY(flatbuffer_number(tensor, TENSOR_DYNAMISM, 1, 0, &dynamism));
    if (has_extra)
        TRY(flatbuffer_number(&extra, EXTRA_LOCATION, 1, 0, &location));
    TRY(find_bytes(tensor, value));
    if (!is_planned || location == LOCATION_EXTERNAL || dynamism == DYNAMIC_UNBOUND)
        return STATUS_OK;
    TRY(flatbuffer_number(&allocation, ALLOCATION_MEMORY, 4, 0, &memory));
    TRY(flatbuffer_number(&allocation, ALLOCATION_LOW, 4, 0, &low));
    TRY(flatbuffer_number(&allocation, ALLOCATION_HIGH, 4, 0, &high));
    value->offset = high << 32 | low;
    value->memory = (uint32_t)memory;
    value->is_state = data > 0;
    if (memory == 0 || memory >= method->arenas.count)
        return flatbuffer_fail(tensor->buffer, allocation.at,
                               "found a place in memory %u, expected one of 1 to below %u",
                               value->memory, method->arenas.count);
    if (!checked_add(value->offset, value->bytes, &end) ||
        end > flatbuffer_element_wide(&method->arenas, value->memory))
        return flatbuffer_fail(
            tensor->buffer, allocation.at,
            "found %llu bytes at %llu of memory %u, expected them in its %llu bytes",
            (unsigned long long)value->bytes, (unsigned long long)value->offset, value->memory,
            (unsigned long long)flatbuffer_element_wide(&method->arenas, value->memory));
    return STATUS_OK;
}

/* The table of a value, of which *type says what it is. A value without content has none. */
static enum status open_value(const struct method *method, uint32_t index, uint64_t *type,
                              bool *found, struct flatbuffer_table *content)
{
    struct flatbuffer_table value;
    TRY(flatbuffer_element_table(&method->values, index, "a value", &value));
    TRY(flatbuffer_number(&value, VALUE_TYPE, 1, 0, type));
    return flatbuffer_table(&value, VALUE, "a value's content", found, content);
}

enum status method_read_values(struct method *method, struct scratch *scratch)
{
    uint32_t count = method->values.count;
    TRY(scratch_take(scratch, &method->value, count, sizeof *method->value, method->file->error));
    for (uint32_t i = 0; i < count; i++) {
        struct flatbuffer_table content;
        uint64_t type;
        bool found;
        TRY(open_value(method, i, &type, &found, &content));
        if (!found || type != TYPE_TENSOR)
            continue;
        method->value[i].at = content.at;
        TRY(read_tensor(method, &content, &method->value[i]));
    }
    return STATUS_OK;
}

enum status method_place(const struct method *method, uint32_t value, size_t *at)
{
    struct flatbuffer_table content;
    uint64_t type;
    bool found;
    TRY(open_value(method, value, &type, &found, &content));
    assert(found && method->value[value].memory > 0);
    return flatbuffer_place(&content, TENSOR_ALLOCATION, 4, at);
}

static enum status check_value(const struct method *method, size_t at, uint32_t value)
{
    if (value < method->values.count)
        return STATUS_OK;
    return flatbuffer_fail(method->file, at, "found value %u, expected one of %u", value,
                           method->values.count);
}

static enum status read_call(const struct flatbuffer_table *call, const struct method *method,
                             struct method_instruction *instruction)
{
    struct flatbuffer_table callee;
    uint64_t target;
    TRY(flatbuffer_vector(call, CALL_ARGUMENTS, 4, "arguments", &instruction->arguments));
    if (instruction->call != METHOD_KERNEL)
        return STATUS_OK;
    TRY(flatbuffer_number(call, CALL_TARGET, 4, 0, &target));
    if (target >= method->operators.count)
        return flatbuffer_fail(method->file, call->at,
                               "found a call of operator %u, expected one of %u", (unsigned)target,
                               method->operators.count);
    TRY(flatbuffer_element_table(&method->operators, (uint32_t)target, "an operator", &callee));
    return flatbuffer_vector(&callee, 0, 1, "an operator's name", &instruction->operator_name);
}

/* A move or a jump: both have two numbers. */
static enum status read_pair(const struct flatbuffer_table *move, const struct method *method,
                             struct method_instruction *instruction)
{
    uint64_t from, to;
    TRY(flatbuffer_number(move, 0, 4, 0, &from));
    TRY(flatbuffer_number(move, 1, 4, 0, &to));
    instruction->from = (uint32_t)from;
    instruction->to = (uint32_t)to;
    TRY(check_value(method, move->at, instruction->from));
    return instruction->call == METHOD_JUMP ? STATUS_OK
                                            : check_value(method, move->at, instruction->to);
}

enum status method_instruction(const struct method *method, uint32_t index,
                               struct method_instruction *instruction)
{
    struct flatbuffer_table table, content;
    uint64_t type;
    bool found;
    TRY(flatbuffer_element_table(&method->instructions, index, "an instruction", &table));
    TRY(flatbuffer_number(&table, INSTRUCTION_TYPE, 1, 0, &type));
    TRY(flatbuffer_table(&table, INSTRUCTION, "an instruction's content", &found, &content));
    *instruction = (struct method_instruction){.at = table.at};
    if (!found || type < METHOD_KERNEL || type > METHOD_FREE)
        return flatbuffer_fail(method->file, table.at,
                               "found instruction %u of type %u, expected one of 1 to 5", index,
                               (unsigned)type);
    instruction->call = (enum method_call)type;
    return type == METHOD_FREE  ? STATUS_OK
           : type < METHOD_MOVE ? read_call(&content, method, instruction)
                                : read_pair(&content, method, instruction);
}

enum status method_is_false(const struct method *method, uint32_t value, bool *is_false)
{
    struct flatbuffer_table content;
    uint64_t type, truth;
    bool found;
    *is_false = false;
    TRY(open_value(method, value, &type, &found, &content));
    if (!found || type != TYPE_BOOL)
        return STATUS_OK;
    TRY(flatbuffer_number(&content, 0, 1, 0, &truth));
    *is_false = truth == 0;
    return STATUS_OK;
}

enum status method_items(const struct method *method, uint32_t value, struct method_items *items)
{
    struct flatbuffer_table content;
    uint64_t type;
    bool found;
    *items = (struct method_items){.single = value, .count = 1};
    TRY(check_value(method, method->table.at, value));
    TRY(open_value(method, value, &type, &found, &content));
    if (!found || (type != TYPE_TENSOR_LIST && type != TYPE_OPTIONAL_TENSOR_LIST))
        return STATUS_OK;
    TRY(flatbuffer_vector(&content, 0, 4, "items", &items->list));
    items->count = items->list.count;
    items->single = METHOD_NONE;
    return STATUS_OK;
}

enum status method_item(const struct method *method, const struct method_items *items,
                        uint32_t index, uint32_t *value)
{
    *value = items->single;
    if (items->single != METHOD_NONE)
        return STATUS_OK;
    *value = flatbuffer_element(&items->list, index);
    return *value == METHOD_NONE ? STATUS_OK : check_value(method, items->list.at, *value);
}

enum status method_charge(struct method *method, uint64_t work)
{
    method->work += work;
    if (method->work <= most_work)
        return STATUS_OK;
    return flatbuffer_fail(method->file, method->table.at,
                           "found more than 2^30 steps of work in a method, expected a method "
                           "that a compiler wrote");
}
