/* Plans three buffers, two of which can share their place. Build: cc plan.c $(pkg-config --cflags
 * --libs memplan) */
#include <inttypes.h>
#include <memplan/memplan.h>
#include <stdio.h>

int main(void)
{
    /* Buffer i is live from step lower[i] to before step upper[i]. */
    const uint64_t size[] = {4096, 1024, 4096}, alignment[] = {64, 64, 64};
    const uint32_t lower[] = {0, 0, 1}, upper[] = {1, 2, 2};
    uint64_t offset[3];
    const struct memplan_problem problem = {.struct_bytes = sizeof problem,
                                            .buffers = 3,
                                            .size = size,
                                            .alignment = alignment,
                                            .lower = lower,
                                            .upper = upper,
                                            .time_limit_ns = 1000000000};
    struct memplan_answer answer = {.struct_bytes = sizeof answer, .offset = offset};
    enum memplan_result result = memplan_plan("exact", &problem, &answer);

    if (result > MEMPLAN_OPTIMAL) {
        fprintf(stderr, "%s: %s\n", memplan_result_name(result), answer.message);
        return 1;
    }
    for (uint32_t b = 0; b < problem.buffers; b++)
        printf("buffer %" PRIu32 " at %" PRIu64 "\n", b, offset[b]);
    printf("%s, peak %" PRIu64 " bytes\n", memplan_result_name(result), answer.peak_bytes);
    return 0;
}
