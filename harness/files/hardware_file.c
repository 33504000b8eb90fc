#include "harness/files/hardware_file.h"

#include <string.h>

#include "core/embedded.h"
#include "core/file_name.h"
#include "core/text.h"
#include "harness/files/hardware_json.h"

extern const struct embedded_file hardware_builtin[];
extern const unsigned hardware_builtin_count;

/* To add one: its file in hardware/ and a row here. */
static const struct hardware_profile profiles[] = {
    {"luna", "the chip of Wang et al. 2025, fitted", "hardware/luna.json"},
    {"stm32h7", "Cortex-M7 at 480 MHz, weights in octal SPI flash", "hardware/stm32h7.json"},
    {"ethos_u55", "Ethos-U55 with 256 multipliers at 500 MHz, weights in flash",
     "hardware/ethos_u55.json"},
};

enum { PROFILES = sizeof profiles / sizeof *profiles };

uint32_t hardware_file_count(void)
{
    return PROFILES;
}

const struct hardware_profile *hardware_file_at(uint32_t index)
{
    return &profiles[index];
}

static const struct embedded_file *find_embedded(const char *file)
{
    for (unsigned i = 0; i < hardware_builtin_count; i++)
        if (strcmp(hardware_builtin[i].name, file) == 0)
            return &hardware_builtin[i];
    return NULL;
}

static enum status refuse_name(const char *name, struct error *error)
{
    struct text known = {0};
    for (int i = 0; i < PROFILES; i++)
        text_append(&known, "%s, ", profiles[i].name);
    error_set(error, STATUS_USAGE, "no hardware '%s', expected one of: %sor a .json file", name,
              known.bytes ? known.bytes : "");
    text_free(&known);
    return STATUS_USAGE;
}

static enum status read_builtin(const struct embedded_file *file, struct hardware *hardware,
                                struct error *error)
{
    struct text text = {0};
    text_append_bytes(&text, file->bytes, file->length);
    enum status status = text_check(&text, error);
    if (!status)
        status = hardware_json_read(&text, file->name, hardware, error);
    text_free(&text);
    return status;
}

enum status hardware_file_load(const char *name, struct hardware *hardware, struct error *error)
{
    struct text text = {0};
    for (int i = 0; i < PROFILES; i++)
        if (strcmp(profiles[i].name, name) == 0)
            return read_builtin(find_embedded(profiles[i].file), hardware, error);
    if (!file_name_has_extension(name, ".json"))
        return refuse_name(name, error);
    enum status status = text_read_file(name, &text, error);
    if (!status)
        status = hardware_json_read(&text, name, hardware, error);
    text_free(&text);
    return status;
}
