#include "harness/files/hardware_json.h"

#include "fuzzing.h"

/* What was read can be counted with: no rate is 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = fuzzing_text(data, size);
    SCOPED(hardware_clear) struct hardware hardware = {0};
    struct error error = ERROR_NONE;
    uint64_t ns;
    enum status status = hardware_json_read(&text, "input", &hardware, &error);
    text_free(&text);
    if (status) {
        fuzzing_check_refusal(status, &error);
    } else {
        fuzzing_require(hardware.name[0] && hardware.dma_bytes_per_second);
        for (uint32_t i = 0; i < hardware.types.count; i++)
            fuzzing_require(hardware.operations_per_second[i] != 0);
        hardware_transfer_ns(&hardware, UINT64_MAX, &ns);
        fuzzing_require(hardware_contend(&hardware, 1000, 500) >= 1000);
    }
    return 0;
}
