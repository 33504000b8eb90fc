#include <string.h>

#include "core/checked.h"
#include "core/little_endian.h"
#include "datasets/executorch/executorch.h"
#include "datasets/executorch/program.h"

/* The extended header, behind the identifier, where there is one. */
enum { HEADER = 8, HEADER_PROGRAM_BYTES = 16, HEADER_SEGMENTS = 24, HEADER_END = 32 };
enum { SEGMENT_ALIGNMENT = 4096, TABLE_BYTES = 16, VTABLE_BYTES = 10, VTABLE_ROOM = 12 };

static void append(struct text *text, uint64_t number, unsigned bytes)
{
    char byte[8];
    little_endian_put(byte, number, bytes);
    text_append_bytes(text, byte, bytes);
}

static void pad(struct text *text, size_t length)
{
    static const char zeros[64];
    while (!text->failed && text->length < length)
        text_append_bytes(text, zeros,
                          length - text->length < sizeof zeros ? length - text->length
                                                               : sizeof zeros);
}

/* A program whose tables are followed by segments; both are parts of the file. */
struct parts {
    bool has_header;
    uint64_t program_bytes, segments;
};

static enum status find_parts(const struct flatbuffer *file, struct parts *parts)
{
    uint64_t number[2] = {file->length, file->length};
    parts->has_header = file->length >= HEADER_END && memcmp(file->bytes + HEADER, "eh00", 4) == 0;
    for (unsigned n = 0; parts->has_header && n < 2; n++)
        number[n] = little_endian_get(file->bytes + HEADER_PROGRAM_BYTES + 8 * n, 8);
    /* A program without segments says that they begin at 0. */
    parts->program_bytes = number[0];
    parts->segments = number[1] ? number[1] : file->length;
    if (parts->program_bytes <= parts->segments && parts->segments <= file->length)
        return STATUS_OK;
    return flatbuffer_fail(file, HEADER,
                           "found a program of %llu bytes before segments at %llu, "
                           "expected both inside the file",
                           (unsigned long long)parts->program_bytes,
                           (unsigned long long)parts->segments);
}

/* Where a value lies in the new plan. What is never used, or has no elements, lies at 0. */
static uint64_t find_offset(const struct program *program, const uint64_t *offset_of,
                            uint32_t value)
{
    const struct method_value *values = program->method.value;
    uint32_t root = program->lifetimes.of[value].root;
    if (!program_is_buffer(program, root) || values[value].offset < values[root].offset)
        return 0;
    return offset_of[root] + (values[value].offset - values[root].offset);
}

/* New tables with the places of all tensors of the memory, behind the old tables. A table without
   an offset, which means 0, has no room for another one. */
static enum status append_places(const struct program *program, const uint64_t *offset_of,
                                 struct text *written)
{
    const struct method *method = &program->method;
    pad(written, (size_t)align_up(written->length, 4));
    size_t vtable = written->length;
    static const uint16_t entries[] = {VTABLE_BYTES, TABLE_BYTES, 4, 8, 12};
    for (int i = 0; i < 5; i++)
        append(written, entries[i], 2);
    pad(written, vtable + VTABLE_ROOM);
    for (uint32_t v = 0; v < method->values.count; v++) {
        size_t at, table = written->length;
        if (method->value[v].memory != program->memory)
            continue;
        TRY(method_place(method, v, &at));
        uint64_t offset = find_offset(program, offset_of, v);
        append(written, table - vtable, 4);
        append(written, program->memory, 4);
        append(written, offset, 8);
        TRY(text_check(written, program->file.error));
        little_endian_put(written->bytes + at, table - at, 4);
    }
    return STATUS_OK;
}

static enum status write_program(const struct program *program, const uint64_t *offset_of,
                                 uint64_t peak_bytes, uint64_t old_peak_bytes, struct text *written)
{
    const struct flatbuffer *file = &program->file;
    const struct method *method = &program->method;
    uint64_t arena_bytes = flatbuffer_element_wide(&method->arenas, program->memory);
    uint64_t old_bytes = align_up(old_peak_bytes, EXECUTORCH_ALIGNMENT);
    struct parts parts;
    TRY(find_parts(file, &parts));
    text_append_bytes(written, (const char *)file->bytes, (size_t)parts.program_bytes);
    TRY(append_places(program, offset_of, written));
    uint64_t more = arena_bytes > old_bytes ? arena_bytes - old_bytes : 0;
    little_endian_put(written->bytes + method->arenas.at + 8 * (size_t)program->memory,
                      align_up(peak_bytes, EXECUTORCH_ALIGNMENT) + more, 8);
    size_t program_bytes = written->length;
    uint64_t segments = parts.segments;
    while (segments < program_bytes)
        segments += SEGMENT_ALIGNMENT;
    if (parts.segments < file->length) {
        pad(written, (size_t)segments);
        text_append_bytes(written, (const char *)file->bytes + parts.segments,
                          file->length - (size_t)parts.segments);
    }
    TRY(text_check(written, file->error));
    if (parts.has_header) {
        little_endian_put(written->bytes + HEADER_PROGRAM_BYTES, program_bytes, 8);
        if (parts.segments < file->length)
            little_endian_put(written->bytes + HEADER_SEGMENTS, segments, 8);
    }
    return STATUS_OK;
}

/* What was written is read as the same problem with these places. */
static enum status check_written(const struct text *written, const struct carried_choice *choice,
                                 const struct carried *before, const uint64_t *offset,
                                 const struct flatbuffer *file)
{
    SCOPED(carried_clear) struct carried after = {.problem = NULL};
    TRY(executorch_read(written, file->file, choice, &after, file->error));
    const struct problem *old = before->problem, *found = after.problem;
    bool same = old->buffers == found->buffers;
    for (uint32_t b = 0; b < old->buffers && same; b++)
        same = old->size[b] == found->size[b] && after.offset[b] == offset[b] &&
               old->first[b + 1] == found->first[b + 1];
    for (uint32_t s = 0; same && s < old->first[old->buffers]; s++)
        same = old->lower[s] == found->lower[s] && old->upper[s] == found->upper[s];
    if (same)
        return STATUS_OK;
    return flatbuffer_fail(file, 0,
                           "found tensors that are told apart by their places alone, and cannot "
                           "have these, expected each to be written before it is read");
}

enum status executorch_write(const struct text *text, const char *file,
                             const struct carried_choice *choice, const uint64_t *offset,
                             uint64_t peak_bytes, struct text *written, struct error *error)
{
    SCOPED(program_close) struct program program = {.memory = 0};
    SCOPED(carried_clear) struct carried before = {.problem = NULL};
    uint64_t *offset_of, old_peak_bytes = 0;
    TRY(executorch_read(text, file, choice, &before, error));
    TRY(program_open(text, file, choice, &program, error));
    if (program.file.length != text->length)
        return flatbuffer_fail(&program.file, 0,
                               "found a program in a bundle, expected one by itself");
    struct carried_choice same = *choice;
    same.memory = program.memory;
    same.method = (const char *)program.file.bytes + program.method.name.at;
    same.method_length = program.method.name.count;
    TRY(scratch_take(&program.scratch, &offset_of, program.method.values.count, sizeof *offset_of,
                     error));
    for (uint32_t v = 0, buffer = 0; v < program.method.values.count; v++) {
        const struct method_value *value = &program.method.value[v];
        if (program_is_buffer(&program, v))
            offset_of[v] = offset[buffer++];
        if (value->memory == program.memory && value->offset + value->bytes > old_peak_bytes)
            old_peak_bytes = value->offset + value->bytes;
    }
    TRY(write_program(&program, offset_of, peak_bytes, old_peak_bytes, written));
    return check_written(written, &same, &before, offset, &program.file);
}
