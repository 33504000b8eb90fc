#include "harness/brought/command_line.h"

#include "core/memory.h"
#include "fuzzing.h"

/* A command is split, or refused as wrong usage. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct command_value values[] = {{"in", "a b"}, {"out", "{in}"}, {"capacity", ""}};
    struct text text = fuzzing_text(data, size);
    struct error error = ERROR_NONE;
    char **words;
    text_append(&text, "%s", "");
    enum status status =
        command_line_split(text.bytes, values, sizeof values / sizeof *values, &words, &error);
    if (status) {
        fuzzing_require(status == STATUS_USAGE && error.text[0]);
    } else {
        fuzzing_require(words[0] != NULL);
        memory_free(words);
    }
    text_free(&text);
    return 0;
}
