#include "harness/record.h"

#include "support/testing.h"

/* results/ knows no planner: the words that it tells apart are held against those that plans,
   verify and jobs use. */
static void words_are_those_of_the_planners(void)
{
    const struct job of_problem = {0};
    CU_ASSERT_STRING_EQUAL(plan_status_name(PLAN_OPTIMAL), RESULT_OPTIMAL);
    CU_ASSERT_STRING_EQUAL(plan_status_name(PLAN_FEASIBLE), RESULT_FEASIBLE);
    CU_ASSERT_STRING_EQUAL(plan_status_name(PLAN_INFEASIBLE), RESULT_INFEASIBLE);
    CU_ASSERT_STRING_EQUAL(verify_fault_name(VERIFY_VALID), RESULT_VALID);
    CU_ASSERT_STRING_EQUAL(job_policy_name(&of_problem), RESULT_PROBLEM);
}

static const struct test_case cases[] = {
    {"words are those of the planners", words_are_those_of_the_planners},
};
TESTING_MAIN("harness/record", cases)
