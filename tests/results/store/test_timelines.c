#include "results/store/timelines.h"

#include <string.h>

#include "made_up.h"
#include "results/store/runs.h"
#include "support/must.h"
#include "support/testing.h"

static struct timelines_chart make(const char *instance, const char *variant, const char *run,
                                   const char *started, struct timelines_event *event,
                                   uint32_t events)
{
    return (struct timelines_chart){.run = run,
                                    .instance = instance,
                                    .digest = instance,
                                    .variant = variant,
                                    .host = "host",
                                    .build = "build 1",
                                    .started = started,
                                    .event = event,
                                    .events = events};
}

static void write(struct store *store, const struct timelines_chart *timeline)
{
    must(timelines_write(store, timeline, &error));
}

static struct timelines_set read_all(struct store *store)
{
    struct timelines_set set = {0};
    must(timelines_read(store, &set, &error));
    return set;
}

static struct timelines_event first[] = {{"channel", "conv '1'", "transfer", 0, 70},
                                         {"processor", "conv '1'", "compute", 70, INT64_MAX}};
static struct timelines_event second[] = {{"processor", "relu", "compute", 1, 2}};

static void timelines_come_back(void)
{
    const struct timelines_chart b = make("b", "sync", "run", "2026-01-01T00:00:00Z", first, 2),
                                 a = make("a", "sync", "run", "2026-01-01T00:00:00Z", second, 1);
    write(the_store, &b);
    write(the_store, &a);
    struct timelines_set set = read_all(the_store);
    CU_ASSERT_EQUAL_FATAL(set.count, 2);
    CU_ASSERT_STRING_EQUAL(set.timeline[0].instance, "a");
    CU_ASSERT_STRING_EQUAL(set.timeline[1].build, "build 1");
    CU_ASSERT_EQUAL_FATAL(set.timeline[1].events, 2);
    CU_ASSERT_STRING_EQUAL(set.timeline[1].event[0].label, "conv '1'");
    CU_ASSERT_STRING_EQUAL(set.timeline[1].event[1].lane, "processor");
    CU_ASSERT_STRING_EQUAL(set.timeline[1].event[1].kind, "compute");
    CU_ASSERT_EQUAL(set.timeline[1].event[1].begin_ns, 70);
    CU_ASSERT_EQUAL(set.timeline[1].event[1].end_ns, INT64_MAX);
    timelines_free(&set);
}

static void the_newest_counts(void)
{
    struct timelines_chart timeline = make("a", "sync", "new", "2026-01-02T00:00:00Z", first, 2);
    write(the_store, &timeline);
    timeline = make("a", "sync", "old", "2026-01-01T00:00:00Z", second, 1);
    write(the_store, &timeline);
    struct timelines_set set = read_all(the_store);
    CU_ASSERT_EQUAL_FATAL(set.count, 1);
    CU_ASSERT_STRING_EQUAL(set.timeline[0].run, "new");
    CU_ASSERT_EQUAL(set.timeline[0].events, 2);
    timelines_free(&set);
}

static void the_same_is_replaced_or_deleted(void)
{
    struct runs_deleted deleted;
    struct timelines_chart timeline = make("a", "sync", "run", "2026-01-02T00:00:00Z", first, 2);
    write(the_store, &timeline);
    timeline.event = second;
    timeline.events = 1;
    write(the_store, &timeline);
    struct timelines_set set = read_all(the_store);
    CU_ASSERT_EQUAL_FATAL(set.count, 1);
    CU_ASSERT_EQUAL(set.timeline[0].events, 1);
    timelines_free(&set);
    CU_ASSERT_EQUAL(runs_delete(the_store, "run", NULL, &deleted, &the_error), STATUS_OK);
    set = read_all(the_store);
    CU_ASSERT_EQUAL(set.count, 0);
    timelines_free(&set);
}

static void a_time_that_is_too_large_is_refused(void)
{
    struct timelines_event late[] = {{"processor", "x", "compute", 0, (uint64_t)INT64_MAX + 1}};
    const struct timelines_chart timeline = make("a", "sync", "run", "2026", late, 1);
    CU_ASSERT_EQUAL(timelines_write(the_store, &timeline, &the_error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(the_error.text, "9223372036854775808"));
    struct timelines_set set = read_all(the_store);
    CU_ASSERT_EQUAL(set.count, 0);
    timelines_free(&set);
}

static const struct test_case cases[] = {
    {"timelines come back", timelines_come_back},
    {"the newest counts", the_newest_counts},
    {"the same is replaced or deleted", the_same_is_replaced_or_deleted},
    {"a time that is too large is refused", a_time_that_is_too_large_is_refused},
};
MADE_UP_MAIN("results/store/timelines", cases)
