// The problem of plan.c from C++11, by the planner that is best without knowing the problem.
#include <iostream>
#include <memplan/memplan.h>
#include <vector>

int main()
{
    const std::vector<uint64_t> size{4096, 1024, 4096}, alignment(3, 64);
    const std::vector<uint32_t> lower{0, 0, 1}, upper{1, 2, 2};
    std::vector<uint64_t> offset(size.size());
    memplan_problem problem{};
    problem.struct_bytes = sizeof problem;
    problem.buffers = static_cast<uint32_t>(size.size());
    problem.size = size.data();
    problem.alignment = alignment.data();
    problem.lower = lower.data();
    problem.upper = upper.data();
    memplan_answer answer{};
    answer.struct_bytes = sizeof answer;
    answer.offset = offset.data();
    const memplan_result result = memplan_plan(nullptr, &problem, &answer);

    if (result > MEMPLAN_OPTIMAL) {
        std::cerr << memplan_result_name(result) << ": " << answer.message << '\n';
        return 1;
    }
    for (size_t b = 0; b < offset.size(); b++)
        std::cout << "buffer " << b << " at " << offset[b] << '\n';
    std::cout << memplan_result_name(result) << ", peak " << answer.peak_bytes << " bytes\n";
}
