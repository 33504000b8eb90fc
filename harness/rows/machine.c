#include "harness/rows/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MOST_PROCESSORS = 4096, PATH_BYTES = 512, LINE_BYTES = 512 };

/* Reads the first line of a file that begins with the name, without its end; false where there is
   none. */
static bool read_line(const char *root, const char *path, const char *name, char line[LINE_BYTES])
{
    char whole[PATH_BYTES];
    bool found = false;
    snprintf(whole, sizeof whole, "%s%s", root, path);
    FILE *file = fopen(whole, "r");
    if (!file)
        return false;
    while (!found && fgets(line, LINE_BYTES, file))
        found = strncmp(line, name, strlen(name)) == 0;
    fclose(file);
    if (found)
        line[strcspn(line, "\n")] = '\0';
    return found;
}

/* What follows the colon in the line with that name; NULL where there is no such line. */
static const char *find_entry(const char *root, const char *path, const char *name,
                              char line[LINE_BYTES])
{
    const char *colon = read_line(root, path, name, line) ? strchr(line, ':') : NULL;
    return colon ? colon + 1 + strspn(colon + 1, " \t") : NULL;
}

void machine_describe(const char *root, struct machine *machine)
{
    char line[LINE_BYTES], path[PATH_BYTES];
    const char *entry;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct utsname system;
    *machine = (struct machine){.cores = cores > 0 ? (uint64_t)cores : 0};
    if (uname(&system) == 0) {
        snprintf(machine->host, sizeof machine->host, "%s", system.nodename);
        snprintf(machine->kernel, sizeof machine->kernel, "%.64s %.64s", system.sysname,
                 system.release);
    }
    if ((entry = find_entry(root, "/proc/cpuinfo", "model name", line)))
        snprintf(machine->cpu, sizeof machine->cpu, "%.127s", entry);
    if ((entry = find_entry(root, "/proc/meminfo", "MemTotal", line)))
        machine->memory_bytes = strtoull(entry, NULL, 10) * 1024;
    for (int i = 0; i < MOST_PROCESSORS; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", i);
        if (!read_line(root, path, "", line))
            break;
        if (i && strcmp(machine->governor, line) != 0)
            snprintf(line, sizeof line, "mixed");
        snprintf(machine->governor, sizeof machine->governor, "%.31s", line);
    }
    /* Intel's driver has a file that says whether turbo is off, other drivers have one that says
       whether it is on. */
    if (read_line(root, "/sys/devices/system/cpu/intel_pstate/no_turbo", "", line))
        strcpy(machine->turbo, line[0] == '0' ? "on" : "off");
    else if (read_line(root, "/sys/devices/system/cpu/cpufreq/boost", "", line))
        strcpy(machine->turbo, line[0] == '0' ? "off" : "on");
}

void machine_look(const char *root, struct machine_state *state)
{
    enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };
    char line[LINE_BYTES], path[PATH_BYTES];
    uint64_t field[FIELDS] = {0}, all = 0;
    long ticks = sysconf(_SC_CLK_TCK);
    *state = (struct machine_state){0};
    if (read_line(root, "/proc/loadavg", "", line)) {
        double load = strtod(line, NULL);
        state->load_thousandths = load > 0 && load < 1e6 ? (uint64_t)(load * 1000 + 0.5) : 0;
    }
    for (int i = 0; i < MOST_PROCESSORS; i++) {
        snprintf(path, sizeof path,
                 "/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", i);
        if (!read_line(root, path, "", line))
            break;
        state->tells_throttle = true;
        state->throttle_events += strtoull(line, NULL, 10);
    }
    /* The first line is "cpu user nice system idle iowait irq softirq steal ...", whose times are
       in ticks. */
    if (!read_line(root, "/proc/stat", "", line) || strncmp(line, "cpu ", 4) != 0 || ticks <= 0)
        return;
    char *at = line + 4;
    for (int i = 0; i < FIELDS; i++)
        all += field[i] = strtoull(at, &at, 10);
    uint64_t tick_ns = 1000000000 / (uint64_t)ticks;
    state->all_ns = all * tick_ns;
    state->stolen_ns = field[STEAL] * tick_ns;
    state->busy_ns = (all - field[IDLE] - field[IOWAIT] - field[STEAL]) * tick_ns;
}
