#include "harness/files/plan_header.h"

#include <ctype.h>
#include <inttypes.h>

#include "core/file.h"
#include "core/memory.h"
#include "harness/files/c_name.h"
#include "planning/memories/address.h"

struct header {
    const struct header_source *source;
    struct text upper_name, lower_name;
    struct names buffers, memories; /* identifiers; no memories where there is one arena */
    struct text *text;
};

static void clear_header(struct header *header)
{
    text_free(&header->upper_name);
    text_free(&header->lower_name);
    names_free(&header->buffers);
    names_free(&header->memories);
}

/* Makes names identifiers of their own. As long as another one is the same, the number of the name
   is appended. */
static enum status name_all(const struct names *given, struct names *made, struct error *error)
{
    for (uint32_t i = 0; i < given->count; i++) {
        SCOPED(text_free) struct text name = {0};
        c_name_append_identifier(&name, names_get(given, i), true);
        while (!name.failed && name.length && names_find(made, name.bytes) != NAMES_NONE)
            text_append(&name, "_%" PRIu32, i);
        TRY(text_check(&name, error));
        TRY(names_add(made, name.length ? name.bytes : "_", error));
    }
    return STATUS_OK;
}

static enum status name_header(struct header *header, struct error *error)
{
    SCOPED(memory_release) char *stem = file_name_stem(header->source->path);
    if (!stem)
        return error_no_memory(error);
    const char *before = isdigit((unsigned char)*stem) ? "plan_" : "";
    c_name_append_identifier(&header->upper_name, before, true);
    c_name_append_identifier(&header->upper_name, stem, true);
    c_name_append_identifier(&header->lower_name, before, false);
    c_name_append_identifier(&header->lower_name, stem, false);
    TRY(text_check(&header->upper_name, error));
    TRY(text_check(&header->lower_name, error));
    TRY(name_all(&header->source->problem->names, &header->buffers, error));
    return header->source->memories
               ? name_all(&header->source->memories->names, &header->memories, error)
               : STATUS_OK;
}

/* The memory of a buffer; 0 where there is one arena. */
static uint32_t find_memory(const struct header *header, uint32_t buffer)
{
    return header->source->memories ? memory_of_address(header->source->plan->offset[buffer]) : 0;
}

static uint64_t find_offset(const struct header *header, uint32_t buffer)
{
    uint64_t offset = header->source->plan->offset[buffer];
    return header->source->memories ? memory_offset_of_address(offset) : offset;
}

/* The alignment of an arena: a compiler takes only powers of two, so it is the greatest one that
   divides some buffer's. Then an address in the arena is a multiple of as much of a buffer's
   alignment as any address that a compiler chooses can be, of all of it where that is a power of
   two. */
static uint64_t find_alignment(const struct header *header, uint32_t memory)
{
    const struct memory_problem *memories = header->source->memories;
    uint64_t most = 1;
    if (memories)
        most = memories->memory[memory].alignment & (~memories->memory[memory].alignment + 1);
    for (uint32_t b = 0; b < header->source->problem->buffers; b++) {
        uint64_t alignment = problem_alignment(header->source->problem, b);
        alignment &= ~alignment + 1;
        if (find_memory(header, b) == memory && alignment > most)
            most = alignment;
    }
    return most;
}

static uint64_t find_bytes(const struct header *header, uint32_t memory)
{
    uint64_t bytes = 0;
    if (!header->source->memories)
        return header->source->plan->measures.peak_bytes;
    for (uint32_t b = 0; b < header->source->problem->buffers; b++) {
        uint64_t end = find_offset(header, b) + header->source->problem->size[b];
        if (find_memory(header, b) == memory && end > bytes)
            bytes = end;
    }
    return bytes;
}

static void write_head(const struct header *header)
{
    const char *upper = header->upper_name.bytes;
    struct text *text = header->text;
    bool several = header->source->memories;
    text_append(text, "/* Where the buffers of ");
    c_name_append_text(text, header->source->instance);
    text_append(text, " are in %s, planned by memplan's ",
                several ? "an arena in each memory" : "one arena");
    c_name_append_text(text, header->source->planner);
    text_append(
        text,
        ". One source defines\n"
        "   %s_ARENA before it includes this file, and has the arena%s. Each offset is a\n"
        "   multiple of the buffer's ALIGNMENT: of what its dtype needs, or of what memplan\n"
        "   was told.%s */\n",
        upper, several ? "s" : "",
        several ? " SECTION_ and the name of a memory may be defined before that, to put\n"
                  "   its arena there: its first byte is the first one of the memory."
                : "");
    text_append(text, "#ifndef %s_PLAN_H\n#define %s_PLAN_H\n\n", upper, upper);
}

/* What is known of the arena of a memory; the name and the underscore are empty where there is one
   arena. */
static void write_arena_facts(const struct header *header, uint32_t m, const char *underscore,
                              const char *name)
{
    const char *upper = header->upper_name.bytes;
    if (header->memories.count)
        text_append(header->text, "#define %s_MEMORY_%s %" PRIu32 "\n", upper, name, m);
    text_append(header->text, "#define %s_ARENA_BYTES%s%s %" PRIu64 "\n", upper, underscore, name,
                find_bytes(header, m));
    text_append(header->text, "#define %s_ARENA_ALIGNMENT%s%s %" PRIu64 "\n", upper, underscore,
                name, find_alignment(header, m));
}

static void write_buffer(const struct header *header, uint32_t b)
{
    const char *upper = header->upper_name.bytes, *name = names_get(&header->buffers, b);
    struct text *text = header->text;
    if (header->memories.count)
        text_append(text, "#define %s_IN_%s %s_MEMORY_%s\n", upper, name, upper,
                    names_get(&header->memories, find_memory(header, b)));
    text_append(text, "#define %s_OFFSET_%s %" PRIu64 "\n", upper, name, find_offset(header, b));
    text_append(text, "#define %s_BYTES_%s %" PRIu64 "\n", upper, name,
                header->source->problem->size[b]);
    text_append(text, "#define %s_ALIGNMENT_%s %" PRIu64 "\n", upper, name,
                problem_alignment(header->source->problem, b));
}

static void write_list(const struct header *header)
{
    const struct problem *problem = header->source->problem;
    const char *upper = header->upper_name.bytes;
    struct text *text = header->text;
    text_append(text,
                "\n/* All buffers, in the order of the problem: BUFFER(name, %soffset, bytes). */\n"
                "#define %s_EACH(BUFFER)",
                header->memories.count ? "memory, " : "", upper);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        text_append(text, " \\\n    BUFFER(\"");
        c_name_append_text(text, names_get(&problem->names, b));
        text_append(text, "\", ");
        if (header->memories.count)
            text_append(text, "%" PRIu32 ", ", find_memory(header, b));
        text_append(text, "%" PRIu64 ", %" PRIu64 ")", find_offset(header, b), problem->size[b]);
    }
    if (header->source->stays)
        text_append(text,
                    "\n\n/* STAY(number, from, lower, ready, upper): the buffer with this number, "
                    "from 0, has\n   its bytes in steps [lower, upper). What number `from` has is "
                    "copied to it, or from\n   off chip where that is -1: the copy starts before "
                    "step `lower`, and step `ready`\n   waits for it. -2: step `lower` writes it. "
                    "*/\n#define %s_EACH_STAY(STAY)%s",
                    upper, header->source->stays);
    text_append(text, "\n\n#endif\n\n#if defined(%s_ARENA) && !defined(%s_HAS_ARENA)\n", upper,
                upper);
    text_append(text, "#define %s_HAS_ARENA\n", upper);
}

static enum status write_arena(const struct header *header, uint32_t m, const char *underscore,
                               const char *name, struct error *error)
{
    const char *upper = header->upper_name.bytes;
    struct text *text = header->text;
    SCOPED(text_free) struct text lower = {0};
    c_name_append_identifier(&lower, name, false);
    if (header->memories.count)
        text_append(text, "#ifndef %s_SECTION_%s\n#define %s_SECTION_%s\n#endif\n", upper, name,
                    upper, name);
    text_append(text,
                "#ifdef __cplusplus\nalignas(%s_ARENA_ALIGNMENT%s%s)\n"
                "#else\n_Alignas(%s_ARENA_ALIGNMENT%s%s)\n#endif\n",
                upper, underscore, name, upper, underscore, name);
    text_append(text, "static unsigned char %s_arena%s%s[%s_ARENA_BYTES%s%s%s]",
                header->lower_name.bytes, underscore, lower.length ? lower.bytes : "", upper,
                underscore, name, find_bytes(header, m) ? "" : " + 1");
    if (header->memories.count)
        text_append(text, " %s_SECTION_%s", upper, name);
    text_append(text, ";\n");
    return text_check(&lower, error);
}

enum status plan_header_write(const struct header_source *source, struct text *text,
                              struct error *error)
{
    SCOPED(clear_header) struct header header = {.source = source, .text = text};
    const struct problem *problem = source->problem;
    TRY(name_header(&header, error));
    const struct names *memories = &header.memories;
    const char *upper = header.upper_name.bytes;
    write_head(&header);
    if (!memories->count)
        write_arena_facts(&header, 0, "", "");
    for (uint32_t m = 0; m < memories->count; m++)
        write_arena_facts(&header, m, "_", names_get(memories, m));
    text_append(text, "#define %s_BUFFERS %" PRIu32 "\n\n", upper, problem->buffers);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (extents_count(source->plan->extents, b))
            return error_set(error, STATUS_BAD_INPUT,
                             "found buffer '%s' in several pieces, expected one place for each",
                             names_get(&problem->names, b));
        write_buffer(&header, b);
    }
    write_list(&header);
    if (!memories->count)
        TRY(write_arena(&header, 0, "", "", error));
    for (uint32_t m = 0; m < memories->count; m++)
        TRY(write_arena(&header, m, "_", names_get(memories, m), error));
    text_append(text, "#endif\n");
    return text_check(text, error);
}
