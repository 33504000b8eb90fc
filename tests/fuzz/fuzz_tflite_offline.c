#include <string.h>

#include "datasets/tflite/offline.h"
#include "fuzzing.h"

/* A plan that was read from a model is the one that a copy of the model carries. */
static void check_carried(const struct text *model, const struct tflite_offline *offline)
{
    struct text bytes = {0}, copy = {0};
    struct tflite_offline again;
    struct error error = ERROR_NONE;
    tflite_offline_write(offline, &bytes);
    if (tflite_offline_embed(model, "input", &bytes, &copy, &error) == STATUS_OK) {
        fuzzing_require(tflite_offline_find(&copy, "input", &again, &error) == STATUS_OK);
        fuzzing_require(again.tensors == offline->tensors);
        for (uint32_t t = 0; t < offline->tensors; t++)
            fuzzing_require(again.offset[t] == offline->offset[t]);
        tflite_offline_clear(&again);
    }
    text_free(&bytes);
    text_free(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = fuzzing_text(data, size);
    struct tflite_offline offline;
    struct error error = ERROR_NONE;
    enum status status = tflite_offline_find(&text, "input", &offline, &error);
    if (status)
        fuzzing_check_refusal(status, &error);
    else
        check_carried(&text, &offline);
    tflite_offline_clear(&offline);
    text_free(&text);
    return 0;
}
