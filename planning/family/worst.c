#include "planning/family/worst.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/family/corners.h"

enum status worst_create(const struct family *family, struct worst *worst, struct error *error)
{
    *worst = (struct worst){.ratio = {0, 1}};
    return memory_create(&worst->point, family->parameters, sizeof *worst->point, error);
}

void worst_copy(struct worst *to, const struct worst *from, uint32_t parameters)
{
    uint64_t *point = to->point;
    memcpy(point, from->point, parameters * sizeof *point);
    *to = *from;
    to->point = point;
}

void worst_free(struct worst *worst)
{
    memory_free(worst->point);
    worst->point = NULL;
}

/* The boxes that were not looked at yet, as a stack, and room for sizes. */
struct halving {
    struct family *family;
    const struct worst_search *search;
    struct worst *worst;
    uint64_t *corner; /* [boxes * 2 * parameters] the lower and the upper corner of each */
    uint64_t *size;   /* [buffers] */
    uint32_t boxes;
    struct scratch *scratch;
};

static struct family_ratio measure(struct halving *halving, const uint64_t *lower,
                                   const uint64_t *upper)
{
    struct family *family = halving->family;
    bool is_size = family_sizes(family, upper, halving->size);
    struct family_ratio ratio;
    ratio.peak_bytes = family_peak(family, halving->search->orientation, halving->size);
    if (lower != upper)
        is_size = family_sizes(family, lower, halving->size) && is_size;
    ratio.load_bytes = family_load(family, halving->size);
    assert(is_size);
    (void)is_size;
    return ratio;
}

static void look_at_point(struct halving *halving, const uint64_t *point)
{
    struct family_ratio ratio = measure(halving, point, point);
    assert(sizes_in_box(halving->family->sizes, point));
    assert(ratio.peak_bytes >= ratio.load_bytes);
    if (family_ratio_compare(ratio, halving->worst->ratio) > 0) {
        halving->worst->ratio = ratio;
        memcpy(halving->worst->point, point, halving->family->parameters * sizeof *point);
    }
}

/* Cuts the uppermost box in two along its longest side; the upper half, where ratios of large sizes
   are, is looked at first. */
static void halve(struct halving *halving)
{
    uint32_t parameters = halving->family->parameters, longest = 0;
    size_t bytes = 2 * parameters * sizeof(uint64_t);
    assert(halving->boxes > 0);
    uint64_t *lower = halving->corner + (size_t)(halving->boxes - 1) * 2 * parameters;
    uint64_t *upper = lower + parameters, *added = lower + (size_t)2 * parameters;
    for (uint32_t p = 1; p < parameters; p++)
        if (upper[p] - lower[p] > upper[longest] - lower[longest])
            longest = p;
    assert(upper[longest] > lower[longest]);
    uint64_t middle = lower[longest] + (upper[longest] - lower[longest]) / 2;
    memcpy(added, lower, bytes);
    upper[longest] = middle;
    added[longest] = middle + 1;
    halving->boxes++;
}

/* Raises `proved` to a ratio that no point in the remaining boxes exceeds. */
static void cover_rest(struct halving *halving)
{
    struct worst *worst = halving->worst;
    uint32_t parameters = halving->family->parameters;
    worst->proved = worst->ratio;
    for (uint32_t i = 0; i < halving->boxes; i++) {
        const uint64_t *lower = halving->corner + (size_t)i * 2 * parameters;
        struct family_ratio most = measure(halving, lower, lower + parameters);
        if (family_ratio_compare(most, worst->proved) > 0)
            worst->proved = most;
    }
    assert(family_ratio_compare(worst->proved, worst->ratio) >= 0);
    worst->is_exact = family_ratio_compare(worst->proved, worst->ratio) <= 0;
}

static bool is_enough(const struct halving *halving)
{
    const struct worst_search *search = halving->search;
    return clock_left_ns(search->deadline_ns) == 0 || halving->worst->boxes >= search->most_boxes ||
           (search->enough.load_bytes &&
            family_ratio_compare(halving->worst->ratio, search->enough) > 0);
}

enum status worst_find(struct family *family, const struct worst_search *search,
                       struct worst *worst, struct error *error)
{
    enum { BITS = 64, CHECKED_EACH = 16 };
    uint32_t parameters = family->parameters;
    const uint64_t *least = family->sizes->least, *greatest = family->sizes->greatest;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct halving halving = {
        .family = family, .search = search, .worst = worst, .scratch = &scratch};
    SCOPED(corners_release) struct corners *corners = NULL;
    size_t bytes = parameters * sizeof(uint64_t);
    TRY(scratch_take(&scratch, &halving.size, family->problem->buffers, sizeof(uint64_t), error));
    TRY(scratch_take(&scratch, &halving.corner, ((size_t)parameters * BITS + 2) * 2, bytes, error));
    TRY(corners_create(family, &corners, error));
    worst->ratio = (struct family_ratio){0, 1};
    worst->boxes = 0;
    memcpy(worst->point, greatest, bytes);
    look_at_point(&halving, greatest);
    look_at_point(&halving, least);
    for (uint32_t i = 0; i < search->points; i++)
        look_at_point(&halving, search->point + (size_t)i * parameters);
    memcpy(halving.corner, least, bytes);
    memcpy(halving.corner + parameters, greatest, bytes);
    halving.boxes = 1;
    while (halving.boxes && (worst->boxes % CHECKED_EACH || !is_enough(&halving))) {
        uint64_t *lower = halving.corner + (size_t)(halving.boxes - 1) * 2 * parameters;
        uint64_t *upper = lower + parameters;
        assert(halving.boxes <= parameters * BITS + 1);
        worst->boxes++;
        if (memcmp(lower, upper, bytes) == 0) {
            look_at_point(&halving, lower);
            halving.boxes--;
        } else if (family_ratio_compare(measure(&halving, lower, upper), worst->ratio) <= 0 ||
                   (corners &&
                    corners_prove(corners, search->orientation, lower, upper, worst->ratio))) {
            halving.boxes--;
        } else {
            halve(&halving);
            look_at_point(&halving, halving.corner + (size_t)(halving.boxes - 2) * 2 * parameters +
                                        parameters);
        }
    }
    cover_rest(&halving);
    return STATUS_OK;
}
