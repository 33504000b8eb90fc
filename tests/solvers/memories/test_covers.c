#include "solvers/memories/covers.h"

#include "core/memory.h"
#include "core/random.h"
#include "support/must.h"
#include "support/testing.h"

enum { COLUMNS = 8 };

/* Column 0 is no binary, as in all programs; row 0 says that the weights of the others are at most
   `most`. */
static struct mip_model *make_program(const uint64_t *weight, uint64_t most)
{
    struct mip_model *program;
    must(memory_create(&program, 1, sizeof *program, &error));
    mip_add_column(program, 0, 1000, false);
    for (int c = 0; c < COLUMNS; c++)
        mip_add_column(program, 0, 1, true);
    for (uint32_t c = 0; c < COLUMNS; c++)
        mip_add_entry(program, c + 1, -(double)weight[c]);
    mip_close_row(program, -(double)most);
    program->own_rows = program->rows;
    must(mip_model_check(program, &error));
    return program;
}

/* Whether every choice that keeps row 0 keeps the others. */
static bool is_implied(const struct mip_model *program)
{
    for (unsigned chosen = 0; chosen < 1u << COLUMNS; chosen++) {
        double values[COLUMNS + 1] = {0};
        for (int c = 0; c < COLUMNS; c++)
            values[c + 1] = chosen >> c & 1;
        if (mip_row_is_violated(program, 0, values, 0))
            continue;
        for (uint32_t r = 1; r < program->rows; r++)
            if (mip_row_is_violated(program, r, values, 0))
                return false;
    }
    return true;
}

/* No choice is lost, and the values break each row that is added. */
static void test_random(void)
{
    struct random_state random = random_seed(7);
    uint32_t added = 0;
    for (int round = 0; round < 2000; round++) {
        uint64_t weight[COLUMNS], sum = 0;
        double values[COLUMNS + 1] = {0};
        for (int c = 0; c < COLUMNS; c++) {
            sum += weight[c] = 1 + random_below(&random, 12);
            uint64_t drawn = random_below(&random, 6);
            values[c + 1] = drawn < 2   ? 1
                            : drawn < 4 ? 0
                                        : (double)random_below(&random, 100) / 100;
        }
        SCOPED(mip_model_release)
        struct mip_model *program = make_program(weight, random_below(&random, sum));
        covers_separate(program, values);
        CU_ASSERT_TRUE(is_implied(program));
        for (uint32_t r = 1; r < program->rows; r++)
            CU_ASSERT_TRUE(mip_row_is_violated(program, r, values, 1e-4));
        added += program->rows - 1;
    }
    CU_ASSERT(added > 100);
}

/* Three of weight 4 and one of 5 under 11: two of the four at most. */
static void test_extended(void)
{
    static const uint64_t weight[COLUMNS] = {4, 4, 4, 5, 1, 1, 1, 1};
    static const double values[COLUMNS + 1] = {0, 0.9, 0.9, 0.9, 0.1};
    SCOPED(mip_model_release) struct mip_model *program = make_program(weight, 11);
    covers_separate(program, values);
    CU_ASSERT_EQUAL_FATAL(program->rows, 2);
    CU_ASSERT_EQUAL(program->row_first[2] - program->row_first[1], 4);
    CU_ASSERT_EQUAL(program->row_bound[1], -2);
}

static const struct test_case cases[] = {
    {"covers of random rows lose no choice", test_random},
    {"what is as heavy is counted too", test_extended},
};
TESTING_MAIN("solvers/memories/covers", cases)
