#include "harness/hardware_file.h"

#include <string.h>

#include "core/embedded.h"
#include "harness/hardware_json.h"
#include "harness/plan_file.h"

extern const struct embedded_file hardware_builtin[];
extern const unsigned hardware_builtin_count;

static const struct builtin {
    const char *name, *file;
} builtins[] = {
    {"ethos_u55", "hardware/ethos_u55.json"},
    {"luna", "hardware/luna.json"},
    {"stm32h7", "hardware/stm32h7.json"},
};

enum { BUILTINS = sizeof builtins / sizeof *builtins };

const char *hardware_file_builtin(uint32_t index)
{
    return index < BUILTINS ? builtins[index].name : NULL;
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
    for (int i = 0; i < BUILTINS; i++)
        text_append(&known, "%s, ", builtins[i].name);
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
    for (int i = 0; i < BUILTINS; i++)
        if (strcmp(builtins[i].name, name) == 0)
            return read_builtin(find_embedded(builtins[i].file), hardware, error);
    if (!plan_file_has_extension(name, ".json"))
        return refuse_name(name, error);
    enum status status = text_read_file(name, &text, error);
    if (!status)
        status = hardware_json_read(&text, name, hardware, error);
    text_free(&text);
    return status;
}
