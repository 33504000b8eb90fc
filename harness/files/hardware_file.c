#include "harness/files/hardware_file.h"

#include <assert.h>
#include <string.h>

#include "core/embedded.h"
#include "core/file.h"
#include "core/rows.h"
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
    {"rp2040", "Raspberry Pi RP2040: striped SRAM and two small banks", "hardware/rp2040.json"},
    {"imxrt1060", "NXP i.MX RT1060: tightly coupled memory, OCRAM and SDRAM",
     "hardware/imxrt1060.json"},
    {"esp32s3", "Espressif ESP32-S3: SRAM and octal PSRAM", "hardware/esp32s3.json"},
    {"gap8", "GreenWaves GAP8: L1, L2 and HyperRAM", "hardware/gap8.json"},
};

ROWS_DEFINE(hardware_file, struct hardware_profile, profiles);
ROWS_DEFINE_NAME(hardware_file);

enum status hardware_file_text(const char *name, struct text *text, const char **file,
                               struct error *error)
{
    uint32_t profile = rows_find(name, hardware_file_count(), hardware_file_name);
    if (profile < hardware_file_count()) {
        const struct embedded_file *embedded =
            embedded_find(hardware_builtin, hardware_builtin_count, "", profiles[profile].file, "");
        assert(embedded);
        *file = embedded->name;
        text_append_bytes(text, embedded->bytes, embedded->length);
        return text_check(text, error);
    }
    if (*name == '{') {
        *file = "json";
        text_append_bytes(text, name, strlen(name));
        return text_check(text, error);
    }
    if (!file_name_has_extension(name, ".json"))
        return rows_refuse(&(struct rows_kind){"hardware", "memplan list hardware",
                                               ", or a .json file", profile, hardware_file_name},
                           name, strlen(name), error);
    *file = name;
    return text_read_file(name, text, error);
}

enum status hardware_file_load(const char *name, struct hardware *hardware, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    const char *file;
    TRY(hardware_file_text(name, &text, &file, error));
    return hardware_json_read(&text, file, hardware, error);
}
