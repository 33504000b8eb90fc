#include "harness/files/plan_header.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/file_name.h"
#include "core/memory.h"

/* Appends a name with every byte that cannot be part of an identifier replaced by _, in upper or
   lower case. It always follows another word, so that it may begin with a digit. */
static void append_identifier(struct text *text, const char *name, bool upper)
{
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        char letter = '_';
        if (byte < 128 && isalnum(byte))
            letter = (char)(upper ? toupper(byte) : tolower(byte));
        text_append_bytes(text, &letter, 1);
    }
}

/* Appends a name as the inside of a C string, or of a comment, in letters of ASCII: compilers warn
   of others that change the direction of writing, of trigraphs ("??/"), and of comments in
   comments. */
static void append_text(struct text *text, const char *name)
{
    char before = '\0';
    for (; *name; before = *name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte == '"' || byte == '\\' || (byte == '?' && before == '?'))
            text_append(text, "\\%c", byte);
        else if (byte < ' ' || byte >= 127 || (byte == '/' && before == '*') ||
                 (byte == '*' && before == '/'))
            text_append(text, "\\%03o", byte);
        else
            text_append_bytes(text, name, 1);
    }
}

/* The words with which all names in a header begin. */
struct prefix {
    struct text upper, lower;
};

static enum status create_prefix(const char *path, struct prefix *prefix, struct error *error)
{
    char *stem = file_name_stem(path);
    *prefix = (struct prefix){.upper = {0}};
    if (!stem)
        return error_no_memory(error);
    const char *before = isdigit((unsigned char)*stem) ? "plan_" : "";
    append_identifier(&prefix->upper, before, true);
    append_identifier(&prefix->upper, stem, true);
    append_identifier(&prefix->lower, before, false);
    append_identifier(&prefix->lower, stem, false);
    memory_free(stem);
    TRY(text_check(&prefix->upper, error));
    return text_check(&prefix->lower, error);
}

static void clear_prefix(struct prefix *prefix)
{
    text_free(&prefix->upper);
    text_free(&prefix->lower);
}

/* Makes the name of a buffer an identifier of its own. As long as another buffer has the same one,
   the number of the buffer is appended. */
static enum status name_buffer(const struct problem *problem, uint32_t buffer, struct names *names,
                               struct error *error)
{
    SCOPED(text_free) struct text name = {0};
    append_identifier(&name, names_get(&problem->names, buffer), true);
    while (!name.failed && name.length && names_find(names, name.bytes) != NAMES_NONE)
        text_append(&name, "_%" PRIu32, buffer);
    TRY(text_check(&name, error));
    return names_add(names, name.length ? name.bytes : "_", error);
}

static uint64_t find_alignment(const struct plan_header *header)
{
    const struct problem *problem = header->problem;
    uint64_t alignment = header->alignment_bytes;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_alignment(problem, b) > alignment)
            alignment = problem_alignment(problem, b);
    return alignment;
}

/* The least power of two that is not below the alignment, since a compiler takes only powers of
   two. Where all alignments are powers of two it is exact. */
static uint64_t round_alignment(uint64_t alignment)
{
    enum { LEAST = 16 };
    uint64_t rounded = LEAST;
    while (rounded < alignment && rounded <= UINT64_MAX / 2)
        rounded *= 2;
    return rounded;
}

static void append_opening(const struct plan_header *header, const struct prefix *prefix,
                           struct text *text)
{
    const char *upper = prefix->upper.bytes;
    uint64_t alignment = round_alignment(find_alignment(header));
    text_append(text, "/* Where the buffers of ");
    append_text(text, header->instance);
    text_append(text, " are in one arena, planned by memplan's ");
    append_text(text, header->planner);
    text_append(text,
                ". One source defines\n"
                "   %s_ARENA before it includes this file, and has the arena. */\n",
                upper);
    text_append(text, "#ifndef %s_PLAN_H\n#define %s_PLAN_H\n\n", upper, upper);
    text_append(text, "#define %s_ARENA_BYTES %" PRIu64 "\n", upper,
                header->plan->measures.peak_bytes);
    text_append(text, "#define %s_ARENA_ALIGNMENT %" PRIu64 "\n", upper, alignment);
    text_append(text, "#define %s_BUFFERS %" PRIu32 "\n\n", upper, header->problem->buffers);
}

static enum status append_buffers(const struct plan_header *header, const struct prefix *prefix,
                                  const struct names *names, struct text *text, struct error *error)
{
    for (uint32_t b = 0; b < header->problem->buffers; b++) {
        if (extents_count(header->plan->extents, b))
            return error_set(error, STATUS_BAD_INPUT,
                             "found buffer '%s' in several pieces, expected one place for each",
                             names_get(&header->problem->names, b));
        text_append(text, "#define %s_OFFSET_%s %" PRIu64 "\n", prefix->upper.bytes,
                    names_get(names, b), header->plan->offset[b]);
        text_append(text, "#define %s_BYTES_%s %" PRIu64 "\n", prefix->upper.bytes,
                    names_get(names, b), header->problem->size[b]);
    }
    return STATUS_OK;
}

static void append_list(const struct plan_header *header, const struct prefix *prefix,
                        struct text *text)
{
    text_append(text,
                "\n/* All buffers, in the order of the problem: BUFFER(name, offset, bytes). */\n"
                "#define %s_EACH(BUFFER)",
                prefix->upper.bytes);
    for (uint32_t b = 0; b < header->problem->buffers; b++) {
        text_append(text, " \\\n    BUFFER(\"");
        append_text(text, names_get(&header->problem->names, b));
        text_append(text, "\", %" PRIu64 ", %" PRIu64 ")", header->plan->offset[b],
                    header->problem->size[b]);
    }
    text_append(text, "\n");
}

static enum status write_header(const struct plan_header *header, const struct prefix *prefix,
                                const struct names *names, struct text *text, struct error *error)
{
    append_opening(header, prefix, text);
    TRY(append_buffers(header, prefix, names, text, error));
    append_list(header, prefix, text);
    const char *upper = prefix->upper.bytes, *lower = prefix->lower.bytes;
    const char *more = header->plan->measures.peak_bytes ? "" : " + 1";
    text_append(text, "\n#endif\n\n#if defined(%s_ARENA) && !defined(%s_HAS_ARENA)\n", upper,
                upper);
    text_append(text,
                "#define %s_HAS_ARENA\n#ifdef __cplusplus\nalignas(%s_ARENA_ALIGNMENT)\n"
                "#else\n_Alignas(%s_ARENA_ALIGNMENT)\n#endif\n",
                upper, upper, upper);
    text_append(text, "static unsigned char %s_arena[%s_ARENA_BYTES%s];\n#endif\n", lower, upper,
                more);
    return text_check(text, error);
}

enum status plan_header_write(const struct plan_header *header, struct text *text,
                              struct error *error)
{
    struct prefix prefix;
    struct names names = {0};
    enum status status = create_prefix(header->path, &prefix, error);
    for (uint32_t b = 0; b < header->problem->buffers && !status; b++)
        status = name_buffer(header->problem, b, &names, error);
    if (!status)
        status = write_header(header, &prefix, &names, text, error);
    names_free(&names);
    clear_prefix(&prefix);
    return status;
}
