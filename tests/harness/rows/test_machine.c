#include "harness/rows/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/testing.h"

static char root[] = "/tmp/memplan-machine-XXXXXX";

/* A file and the folders above it. */
static void write_file(const char *path, const char *text)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *at = strchr(whole + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(whole, 0777);
        *at = '/';
    }
    FILE *file = fopen(whole, "w");
    CU_ASSERT_FATAL(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void begin(void)
{
    strcpy(strrchr(root, '-') + 1, "XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    CU_ASSERT_EQUAL(system(command), 0);
}

/* Files that are missing, and damaged ones. */
static void what_is_not_told_is_empty(void)
{
    for (int damaged = 0; damaged < 2; damaged++) {
        struct machine machine;
        struct machine_state state;
        if (damaged) {
            write_file("/proc/loadavg", "much");
            write_file("/proc/meminfo", "MemTotal\n");
            write_file("/proc/cpuinfo", "");
        }
        machine_describe(root, &machine);
        machine_look(root, &state);
        CU_ASSERT(!*machine.cpu && !*machine.governor && !*machine.turbo);
        CU_ASSERT(machine.cores && !machine.memory_bytes);
        CU_ASSERT(!state.load_thousandths && !state.tells_throttle);
    }
}

static void the_kernel_is_read(void)
{
    struct machine machine;
    struct machine_state state;
    write_file("/proc/cpuinfo",
               "processor\t: 0\nmodel name\t: A CPU @ 2.4 GHz: fast\nflags\t: x\n");
    write_file("/proc/meminfo", "MemFree:  12 kB\nMemTotal:       2048 kB\n");
    write_file("/proc/stat", "cpu  10 20 30 400 5 6 7 8 9 1\ncpu0 1 2 3 4\n");
    write_file("/proc/loadavg", "1.27 0.50 0.10 2/300 4711\n");
    write_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    write_file("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n");
    write_file("/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n");
    write_file("/sys/devices/system/cpu/cpufreq/boost", "1\n");
    machine_describe(root, &machine);
    machine_look(root, &state);
    CU_ASSERT_STRING_EQUAL(machine.cpu, "A CPU @ 2.4 GHz: fast");
    CU_ASSERT_EQUAL(machine.memory_bytes, 2048 * 1024);
    CU_ASSERT_STRING_EQUAL(machine.governor, "performance");
    CU_ASSERT_STRING_EQUAL(machine.turbo, "on");
    CU_ASSERT_EQUAL(state.load_thousandths, 1270);
    CU_ASSERT_TRUE(state.tells_throttle);
    CU_ASSERT_EQUAL(state.throttle_events, 7);
    uint64_t tick_ns = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK);
    CU_ASSERT_EQUAL(state.all_ns, 486 * tick_ns);
    CU_ASSERT_EQUAL(state.busy_ns, 73 * tick_ns);
    CU_ASSERT_EQUAL(state.stolen_ns, 8 * tick_ns);
}

static void governors_may_differ_and_turbo_be_off(void)
{
    struct machine machine;
    write_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    write_file("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
    write_file("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    machine_describe(root, &machine);
    CU_ASSERT_STRING_EQUAL(machine.governor, "mixed");
    CU_ASSERT_STRING_EQUAL(machine.turbo, "off");
}

static const struct test_case cases[] = {
    {"what is not told is empty", what_is_not_told_is_empty},
    {"the kernel is read", the_kernel_is_read},
    {"governors may differ and turbo be off", governors_may_differ_and_turbo_be_off},
};
int main(void)
{
    return testing_run_between("harness/rows/machine", cases, sizeof cases / sizeof *cases, begin,
                               end);
}
