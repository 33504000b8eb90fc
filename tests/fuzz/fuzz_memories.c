#include "datasets/json/document.h"
#include "datasets/memories/memory_file.h"
#include "fuzzing.h"

static enum status read_file(const struct text *text, struct memory_file *file, struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read(text, "input", &document, error));
    return memory_file_read(document, file, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    SCOPED(text_free) struct text first = {0};
    SCOPED(text_free) struct text second = {0};
    SCOPED(memory_file_clear) struct memory_file file = {0};
    SCOPED(memory_file_clear) struct memory_file again = {0};
    struct error error = ERROR_NONE;
    enum status status = read_file(&text, &file, &error);
    if (status) {
        fuzzing_check_refusal(status, &error);
        return 0;
    }
    fuzzing_require(memory_file_write(file.problem, &first, &error) == STATUS_OK);
    fuzzing_require(read_file(&first, &again, &error) == STATUS_OK);
    fuzzing_require(memory_file_write(again.problem, &second, &error) == STATUS_OK);
    fuzzing_require_same(&first, &second);
    return 0;
}
