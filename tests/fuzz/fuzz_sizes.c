#include "fuzzing.h"
#include "planning/sizes/sizes.h"

/* An expression is refused, or it is written and read again as the same text, falls at no point of
   the box below its value at the least one, and can be written as C. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    SCOPED(text_free) struct text first = {0};
    SCOPED(text_free) struct text second = {0};
    SCOPED(text_free) struct text as_c = {0};
    SCOPED(sizes_release) struct symbolic_sizes *sizes = NULL;
    static const uint64_t points[4][2] = {{0, 3}, {0, 1024}, {7, 3}, {9, 1024}};
    struct error error = ERROR_NONE;
    uint64_t value[4];
    if (!text.length || memchr(text.bytes, '\0', text.length))
        return 0;
    fuzzing_require(sizes_create(&sizes, &error) == STATUS_OK);
    fuzzing_require(sizes_add_parameter(sizes, "n", 0, 9, &error) == STATUS_OK);
    fuzzing_require(sizes_add_parameter(sizes, "batch", 3, 1024, &error) == STATUS_OK);
    enum status status = sizes_add(sizes, text.bytes, &error);
    if (status) {
        fuzzing_require(status == STATUS_BAD_INPUT && error.text[0]);
        return 0;
    }
    for (int i = 0; i < 4; i++)
        fuzzing_require(sizes_value(sizes, 0, points[i], &value[i]) && value[i] >= value[0]);
    fuzzing_require(value[0] > 0 && value[3] >= value[1] && value[3] >= value[2]);
    sizes_write(sizes, 0, false, &first);
    sizes_write(sizes, 0, true, &as_c);
    fuzzing_require(sizes_add(sizes, first.bytes, &error) == STATUS_OK);
    sizes_write(sizes, 1, false, &second);
    fuzzing_require_same(&first, &second);
    return 0;
}
