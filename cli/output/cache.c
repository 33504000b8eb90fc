#include "cli/output/cache.h"

#include <inttypes.h>
#include <stdio.h>

#include "harness/rows/machine.h"

static void print_warning(const struct error *error)
{
    fprintf(stderr, "memplan: plan cache: %s%s%s\n", error->file, error->file[0] ? ": " : "",
            error->text);
}

static void describe_hardware(char *text, size_t text_bytes)
{
    struct machine machine;
    machine_describe("", &machine);
    snprintf(text, text_bytes, "%" PRIu64 " x %s", machine.cores, machine.cpu);
}

enum status cache_open(struct plan_cache **cache, struct error *error)
{
    char hardware[192];
    describe_hardware(hardware, sizeof hardware);
    return plan_cache_open(&(struct plan_cache_setup){hardware, print_warning}, cache, error);
}

enum status cache_open_in(const char *path, uint64_t most_bytes, struct plan_cache **cache,
                          struct error *error)
{
    char hardware[192];
    describe_hardware(hardware, sizeof hardware);
    return plan_cache_open_in(path, most_bytes, &(struct plan_cache_setup){hardware, print_warning},
                              cache, error);
}
