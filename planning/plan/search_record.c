#include "planning/plan/search_record.h"

#include <assert.h>

#include "core/memory.h"

const char *search_counter_name(enum search_counter counter)
{
    static const char *const names[SEARCH_COUNTERS] = {
        [SEARCH_PLACEMENTS] = "placements",
        [SEARCH_REJECTIONS] = "rejections",
        [SEARCH_SPLITS] = "splits",
        [SEARCH_RESTARTS] = "restarts",
        [SEARCH_FAILED_SPAN] = "failed_span",
        [SEARCH_FAILED_SUPPORT] = "failed_support",
        [SEARCH_FAILED_GAP] = "failed_gap",
        [SEARCH_FAILED_FIXED] = "failed_fixed",
        [SEARCH_FAILED_HANDOVER] = "failed_handover",
        [SEARCH_RAISED_FIRST] = "raised_first",
        [SEARCH_RAISED_REJECTED] = "raised_rejected",
        [SEARCH_RAISED_TWIN] = "raised_twin",
        [SEARCH_RAISED_HANDOVER] = "raised_handover",
        [SEARCH_COLUMNS] = "columns",
        [SEARCH_ROWS] = "rows",
        [SEARCH_ENTRIES] = "entries",
        [SEARCH_SEPARATED] = "separated",
        [SEARCH_ROOT_BOUND] = "root_bound",
        [SEARCH_CUT_BOUND] = "cut_bound",
        [SEARCH_ROOT_NS] = "root_ns",
        [SEARCH_SOLVER_BYTES] = "solver_bytes",
    };
    assert(counter < SEARCH_COUNTERS);
    return names[counter];
}

bool search_counter_applies(const struct search_record *record, enum search_counter counter)
{
    bool is_of_root = counter >= SEARCH_ROOT_BOUND && counter <= SEARCH_ROOT_NS;
    assert(counter < SEARCH_COUNTERS);
    return (counter >= SEARCH_FIRST_OF_PROGRAM) == (record->counter[SEARCH_COLUMNS] > 0) &&
           !(is_of_root && record->counter[SEARCH_ROOT_NS] == 0);
}

enum status search_record_create(struct search_record **record, struct error *error)
{
    return memory_create(record, 1, sizeof **record, error);
}

void search_record_free(struct search_record *record)
{
    if (!record)
        return;
    memory_free_all(record->point, record);
}

void search_record_join(struct search_record *record, const struct search_record *other)
{
    assert(record != other);
    for (int i = 0; i < SEARCH_COUNTERS; i++)
        if (i < SEARCH_FIRST_OF_PROGRAM)
            record->counter[i] += other->counter[i];
        else if (record->counter[i] < other->counter[i])
            record->counter[i] = other->counter[i];
}

enum status search_record_add(struct search_record *record, const struct search_point *point,
                              struct error *error)
{
    const struct search_point *last = record->points ? &record->point[record->points - 1] : NULL;
    bool lower = point->peak_bytes < (last ? last->peak_bytes : UINT64_MAX);
    assert(point->bound_bytes <= point->peak_bytes);
    if (!lower && last && point->bound_bytes <= last->bound_bytes)
        return STATUS_OK;
    TRY(memory_reserve(&record->point, &record->capacity, (size_t)record->points + 1,
                       sizeof *record->point, error));
    assert(!record->points || record->point[record->points - 1].time_ns <= point->time_ns);
    record->point[record->points++] = *point;
    if (lower)
        record->time_to_best_ns = point->time_ns;
    return STATUS_OK;
}
