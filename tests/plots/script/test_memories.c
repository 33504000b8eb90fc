#include "plots/script/memories.h"

#include "plots/picture.h"
#include "support/must.h"

/* The scale of a memory ends above its peak, or above its capacity where that is less than a third
   higher. */
static void test_capacity_is_shown(void)
{
    static const struct memory_rectangle rectangle = {"A", 0, 2, 0, 11};
    static const struct {
        uint64_t capacity;
        const char *top;
    } row[] = {{11, "top[1] = 11.66"},
               {12, "top[1] = 12.72"},
               {14, "top[1] = 14.84"},
               {15, "top[1] = 11.66"},
               {UINT64_MAX, "top[1] = 11.66"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        SCOPED(text_free) struct text script = {0};
        const struct memory_panel panel = {"fast", 11, row[i].capacity, 0, 1};
        const struct memory_figure figure = {"kernel", &rectangle, &panel, 1, 2};
        memory_figure_write(&figure, &script);
        picture_expect(&script, row[i].top);
    }
}

static const struct test_case cases[] = {
    {"a capacity near the peak is shown", test_capacity_is_shown},
};

TESTING_MAIN("plots/memories", cases)
