#include "datasets/carried/carried.h"

#include <string.h>

#include "core/file.h"
#include "core/memory.h"

enum status carried_create(struct carried *carried, const char *file, struct error *error)
{
    SCOPED(memory_release) char *name = file_name_stem(file);
    *carried = (struct carried){.problem = NULL};
    return name ? problem_create(&carried->problem, name, error) : error_no_memory(error);
}

void carried_clear(struct carried *carried)
{
    problem_free(carried->problem);
    memory_free(carried->offset);
    *carried = (struct carried){.problem = NULL};
}

enum status carried_add(struct carried *carried, const struct carried_buffer *buffer,
                        struct error *error)
{
    uint32_t index = carried->problem->buffers;
    const struct problem_buffer added = {
        .name = buffer->name,
        .size = buffer->size,
        .alignment = 1,
        .fixed_offset = PROBLEM_FREE,
        .hint = -1,
    };
    TRY(memory_reserve(&carried->offset, &carried->capacity, (size_t)index + 1,
                       sizeof *carried->offset, error));
    TRY(problem_add_buffer(carried->problem, &added, error));
    carried->offset[index] = buffer->offset;
    return STATUS_OK;
}

enum status carried_add_segment(struct carried *carried, uint32_t lower, uint32_t upper,
                                struct error *error)
{
    uint64_t size = carried->problem->size[carried->problem->buffers - 1];
    return problem_add_segment(carried->problem, (struct problem_segment){lower, upper, 0, size},
                               error);
}

enum status carried_finish(struct carried *carried, uint64_t alignment, struct error *error)
{
    bool is_aligned = true;
    for (uint32_t b = 0; b < carried->problem->buffers; b++)
        is_aligned &= carried->offset[b] % alignment == 0;
    TRY(problem_finish(carried->problem, error));
    return problem_align(carried->problem, is_aligned ? alignment : 1, error);
}

enum status carried_choose(const char *text, struct carried_choice *choice, struct error *error)
{
    static const char method[] = "method=", memory[] = "memory=";
    *choice = (struct carried_choice){.memory = CARRIED_ANY};
    while (text && *text) {
        size_t length = strcspn(text, "&");
        if (length > strlen(method) && strncmp(text, method, strlen(method)) == 0) {
            choice->method = text + strlen(method);
            choice->method_length = length - strlen(method);
        } else if (strncmp(text, memory, strlen(memory)) != 0 ||
                   !text_parse_u64(text + strlen(memory), length - strlen(memory),
                                   &choice->memory)) {
            return error_set(error, STATUS_USAGE,
                             "found '%.*s' behind the name of a model, expected method=NAME or "
                             "memory=NUMBER, with & between them",
                             (int)length, text);
        }
        text += length + (text[length] == '&');
    }
    return STATUS_OK;
}
