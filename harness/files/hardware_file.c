#include "harness/files/hardware_file.h"

#include <assert.h>
#include <string.h>

#include "core/embedded.h"
#include "core/file.h"
#include "core/rows.h"
#include "core/text.h"
#include "harness/files/hardware_json.h"

extern const struct embedded_file hardware_builtin[];
extern const unsigned hardware_builtin_count;

/* To add a profile: its file in hardware/ and a row here. */
static const struct hardware_profile profiles[] = {
    {"luna", "the chip of Wang et al. 2025, fitted", "hardware/luna.json"},
    {"stm32h7", "Cortex-M7 at 480 MHz, weights in octal SPI flash", "hardware/stm32h7.json"},
    {"ethos_u55", "Ethos-U55 with 256 multipliers at 500 MHz, weights in flash",
     "hardware/ethos_u55.json"},
    {"mlu100_float16", "Cambricon MLU100 at its peak for float16, the chip of Xu 2019",
     "hardware/mlu100_float16.json"},
    {"mlu100_int8", "Cambricon MLU100 at its peak for int8, the chip of Xu 2019",
     "hardware/mlu100_int8.json"},
};

ROWS_DEFINE(hardware_file, struct hardware_profile, profiles);
ROWS_DEFINE_NAME(hardware_file);

enum status hardware_file_load(const char *name, struct hardware *hardware, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    uint32_t profile = rows_find(name, hardware_file_count(), hardware_file_name);
    if (profile < hardware_file_count()) {
        const struct embedded_file *file =
            embedded_find(hardware_builtin, hardware_builtin_count, "", profiles[profile].file, "");
        assert(file);
        text_append_bytes(&text, file->bytes, file->length);
        TRY(text_check(&text, error));
        return hardware_json_read(&text, file->name, hardware, error);
    }
    if (!file_name_has_extension(name, ".json"))
        return rows_refuse(&(struct rows_kind){"hardware", "memplan list hardware",
                                               ", or a .json file", profile, hardware_file_name},
                           name, strlen(name), error);
    TRY(text_read_file(name, &text, error));
    return hardware_json_read(&text, name, hardware, error);
}
