#ifndef MEMPLAN_CLI_REPRODUCE_RECORDER_H
#define MEMPLAN_CLI_REPRODUCE_RECORDER_H

#include "dma/planned/front.h"
#include "dma/run.h"
#include "harness/rows/record.h"
#include "results/store/measures.h"

/* Stores the measures of a reproduction. The first failure is kept in `status`; later calls only
   clear what they would fill, so that a reproduction checks the status once. */
struct recorder {
    const struct instance *instance; /* NULL while measures of all instances together are written */
    const struct hardware *hardware; /* the profile that the reproduction names; NULL for none */
    struct store *store;
    const struct record_context *context;
    const char *topic; /* of the measures (results/store/measures.h) */
    struct error *error;
    enum status status;
};

/* Writes a measure of the recorder's instance; of a part of it, or of a part and another one, NULL
   for none. */
void recorder_add(struct recorder *recorder, const char *variant, const char *name, uint64_t value);
void recorder_add_part(struct recorder *recorder, const char *variant, const char *part,
                       enum measure_word word, const char *other, uint64_t value);

/* Writes numbers[count], at most RECORD_MOST_NUMBERS, at once. */
void recorder_add_all(struct recorder *recorder, const char *variant,
                      const struct record_number *numbers, uint32_t count);

/* Writes a time and the memory that it takes; and the points of a front, as variants "NAME 000",
   "NAME 001" and so on, nothing where the front is NULL. */
void recorder_add_point(struct recorder *recorder, const char *variant, uint64_t total_ns,
                        uint64_t on_chip_bytes);
void recorder_add_front(struct recorder *recorder, const char *name,
                        const struct planned_front *front);

/* Writes a measure of several instances together, under a name for all of them. */
void recorder_conclude(struct recorder *recorder, const char *instances, const char *variant,
                       const char *name, int64_t value);

/* Reads the measures of a topic that a run wrote: that of a reproduction of this name, or the one
   that is being made. The caller frees the set, also after a failure. */
void recorder_read(struct recorder *recorder, const char *run, const char *topic,
                   struct measure_set *set);

/* How a plan is made. */
struct recorder_choice {
    const char *planner;         /* with settings, as on the command line */
    const char *inplace;         /* name of a set of in-place rules; NULL for none */
    const struct policy *policy; /* of a graph; NULL for flat */
    /* 0: no capacity, ten seconds, one run. */
    uint64_t capacity_bytes, time_limit_ns, least_sampled_ns;
};

/* A plan that was verified and executed. The struct must not be moved. */
struct recorder_plan {
    struct planner *planner;
    struct job job; /* of the planner */
    struct outcome outcome;
};

/* Makes and checks a plan of an instance: the recorder's instance or another form of it. The caller
   clears plan, also after a failure. */
void recorder_make_plan(struct recorder *recorder, const struct instance *instance,
                        const struct recorder_choice *choice, struct recorder_plan *plan);
void recorder_clear_plan(struct recorder_plan *plan);

/* Makes a plan of the recorder's instance and writes its bytes and pools and whether it is sound
   under the variant. Variants are called "PLANNER", "PLANNER; in place" or "PLANNER; POLICY" where
   a policy is given. */
enum { RECORDER_VARIANT_BYTES = 96 };
void recorder_variant(const struct recorder_choice *choice, char variant[RECORDER_VARIANT_BYTES]);
void recorder_add_plan(struct recorder *recorder, const struct recorder_choice *choice,
                       const char *variant, struct recorder_plan *plan);

/* Creates an empty folder for temporary files, which the caller removes if the status is 0. */
void recorder_make_folder(struct recorder *recorder, char *path, size_t path_bytes);

/* Runs the instance's graph on the recorder's hardware under the mode of weight transfers of that
   name; a ring has three buffers. The caller clears *run, also after a failure. */
void recorder_run(struct recorder *recorder, const char *mode, struct transfer_run *run);

/* What papers count in a network before anything is planned: the tensors in the arena that
   operators write, and the weights. All are 0 for an instance without a graph. */
struct recorder_counts {
    uint64_t intermediate, intermediate_bytes;
    uint64_t parameters, weight_bytes;
};
struct recorder_counts recorder_count(const struct recorder *recorder);

/* The saving as a share of what was needed before, in millionths; 0 where nothing is saved. */
uint64_t recorder_saving(uint64_t before, uint64_t after);

#endif
