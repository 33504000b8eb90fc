#include "harness/rows/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MOST_PROCESSORS = 4096, PATH_BYTES = 512, LINE_BYTES = 512 };

/* Reads the first line of a file, without its end; false where there is none. */
static bool read_line(const char *root, const char *path, char line[LINE_BYTES])
{
    char whole[PATH_BYTES];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    FILE *file = fopen(whole, "r");
    if (!file)
        return false;
    bool found = fgets(line, LINE_BYTES, file) != NULL;
    fclose(file);
    if (found)
        line[strcspn(line, "\n")] = '\0';
    return found;
}

/* Finds the first line of a file that begins with the name, and takes what follows the colon; false
   where there is no such line. */
static bool find_entry(const char *root, const char *path, const char *name, char line[LINE_BYTES])
{
    char whole[PATH_BYTES];
    bool found = false;
    snprintf(whole, sizeof whole, "%s%s", root, path);
    FILE *file = fopen(whole, "r");
    if (!file)
        return false;
    while (!found && fgets(line, LINE_BYTES, file))
        found = strncmp(line, name, strlen(name)) == 0 && strchr(line, ':');
    fclose(file);
    if (!found)
        return false;
    const char *value = strchr(line, ':') + 1;
    value += strspn(value, " \t");
    memmove(line, value, strlen(value) + 1);
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static void describe_system(struct machine *machine)
{
    struct utsname system;
    if (uname(&system) != 0)
        return;
    snprintf(machine->host, sizeof machine->host, "%s", system.nodename);
    snprintf(machine->kernel, sizeof machine->kernel, "%.64s %.64s", system.sysname,
             system.release);
}

static void find_governor(const char *root, struct machine *machine)
{
    char line[LINE_BYTES], path[PATH_BYTES];
    for (int i = 0; i < MOST_PROCESSORS; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", i);
        if (!read_line(root, path, line))
            return;
        if (i && strcmp(machine->governor, line) != 0)
            snprintf(line, sizeof line, "mixed");
        snprintf(machine->governor, sizeof machine->governor, "%.31s", line);
    }
}

/* Finds out whether turbo is on. Intel's driver has a file that says whether it is off, other
   drivers have one that says whether it is on. */
static void find_turbo(const char *root, struct machine *machine)
{
    char line[LINE_BYTES];
    if (read_line(root, "/sys/devices/system/cpu/intel_pstate/no_turbo", line))
        strcpy(machine->turbo, line[0] == '0' ? "on" : "off");
    else if (read_line(root, "/sys/devices/system/cpu/cpufreq/boost", line))
        strcpy(machine->turbo, line[0] == '0' ? "off" : "on");
}

void machine_describe(const char *root, struct machine *machine)
{
    char line[LINE_BYTES];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *machine = (struct machine){.cores = cores > 0 ? (uint64_t)cores : 0};
    describe_system(machine);
    if (find_entry(root, "/proc/cpuinfo", "model name", line))
        snprintf(machine->cpu, sizeof machine->cpu, "%.127s", line);
    if (find_entry(root, "/proc/meminfo", "MemTotal", line))
        machine->memory_bytes = strtoull(line, NULL, 10) * 1024;
    find_governor(root, machine);
    find_turbo(root, machine);
}

static void count_throttle_events(const char *root, struct machine_state *state)
{
    char line[LINE_BYTES], path[PATH_BYTES];
    for (int i = 0; i < MOST_PROCESSORS; i++) {
        snprintf(path, sizeof path,
                 "/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", i);
        if (!read_line(root, path, line))
            return;
        state->tells_throttle = true;
        state->throttle_events += strtoull(line, NULL, 10);
    }
}

/* Reads the line "cpu user nice system idle iowait irq softirq steal ...", whose times are in
   ticks. */
static void read_processor_time(const char *root, struct machine_state *state)
{
    enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };
    char line[LINE_BYTES];
    uint64_t field[FIELDS] = {0}, all = 0;
    long ticks = sysconf(_SC_CLK_TCK);
    if (!read_line(root, "/proc/stat", line) || strncmp(line, "cpu ", 4) != 0 || ticks <= 0)
        return;
    char *at = line + 4;
    for (int i = 0; i < FIELDS; i++)
        all += field[i] = strtoull(at, &at, 10);
    uint64_t tick_ns = 1000000000 / (uint64_t)ticks;
    state->all_ns = all * tick_ns;
    state->stolen_ns = field[STEAL] * tick_ns;
    state->busy_ns = (all - field[IDLE] - field[IOWAIT] - field[STEAL]) * tick_ns;
}

void machine_look(const char *root, struct machine_state *state)
{
    char line[LINE_BYTES];
    *state = (struct machine_state){0};
    if (read_line(root, "/proc/loadavg", line)) {
        double load = strtod(line, NULL);
        state->load_thousandths = load > 0 && load < 1e6 ? (uint64_t)(load * 1000 + 0.5) : 0;
    }
    count_throttle_events(root, state);
    read_processor_time(root, state);
}
