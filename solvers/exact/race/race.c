#include "solvers/exact/race/race.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "solvers/exact/model/grid.h"
#include "solvers/exact/race/search.h"
#include "solvers/exact/race/strategy.h"

enum { GRIDS = 3 };

/* In components of at most this number of buffers plans are found soon and proofs take long, so
   strategies that learn, which restart often, do not take part. */
enum { FEW_BUFFERS = 64 };

/* In short rounds, in which many capacities are tried, strategies that learn make this number of
   times fewer placements. With all of them only a quarter of the time would be left for the bound.
   A beam makes all of them, since it is best above the bound. */
enum { SHORT_ROUNDS_LESS = 4 };

/* A beam tells good nodes from bad ones by the slack of sections that they waste. It takes no part
   where the sections have less than this number of hundredths of the capacity as slack, on average,
   nor in components of more buffers than that, in which a pass takes long. */
enum { BEAM_SLACK = 1, MOST_BEAM_BUFFERS = 1024 };

/* A strategy in the race. */
struct racer {
    const struct exact_strategy *strategy;
    uint32_t *rank;
    struct exact_experience *experience; /* NULL before its first run */
    struct exact_experience *gained;     /* a copy to which the run of this round adds */
    enum exact_outcome outcome;
    struct exact_search *search; /* of the run of this round, if that has paused; or NULL */
    bool ran;                    /* its run of this round has ended */
    bool has_gained;             /* gained is of this round */
    _Atomic bool cancelled;      /* an earlier racer has the answer */
    enum status status;
    struct error error;
};

struct exact_race {
    const struct exact_model *model;
    struct exact_race_options options;
    struct exact_rectangles rectangles;
    struct exact_grid *grid[GRIDS]; /* by the lanes of a batch; NULL before they are needed */
    struct racer *racer;            /* [racers] */
    uint32_t racers;
    pthread_mutex_t lock;       /* of idle, of the answer, of has_begun */
    struct exact_search **idle; /* [idle_count] searches that no racer uses; room for [racers] */
    uint32_t idle_count;
    _Atomic uint32_t answered; /* the first racer with an answer, or racers */
    uint64_t *lowest;          /* [buffers] the plan, where it has found one */
    uint64_t next_capacity;    /* the least capacity that may fit, where it has refuted this one */
    bool has_begun; /* a racer has run since the last pause, so the race may pause again */
    _Atomic bool paused;
    struct exact_round last;        /* the question */
    const struct exact_grid *asked; /* of its capacity */
    unsigned rules;                 /* at its capacity */
};

static void return_search(struct exact_race *race, struct exact_search *search)
{
    pthread_mutex_lock(&race->lock);
    assert(race->idle_count < race->racers);
    race->idle[race->idle_count++] = search;
    pthread_mutex_unlock(&race->lock);
}

/* Adds a racer for those of the first strategies of the table that learn, or for the others. */
static void add_racers(struct exact_race *race, uint32_t strategies, bool learns)
{
    bool beam = race->options.beam && race->model->buffers <= MOST_BEAM_BUFFERS;
    for (uint32_t i = 0; i < strategies; i++)
        if (exact_strategy_at(i)->learns == learns && (beam || !exact_strategy_at(i)->is_beam))
            race->racer[race->racers++].strategy = exact_strategy_at(i);
}

enum status exact_race_create(const struct exact_model *model,
                              const struct exact_race_options *options, struct exact_race **created,
                              struct error *error)
{
    SCOPED(exact_race_release) struct exact_race *race = NULL;
    uint32_t racers = exact_strategy_count();
    racers = options->strategies < racers ? options->strategies : racers;
    assert(model->orderable && racers > 0 && options->threads > 0);
    TRY(memory_create(&race, 1, sizeof *race, error));
    race->model = model;
    race->options = *options;
    pthread_mutex_init(&race->lock, NULL);
    TRY(exact_rectangles_fill(model, &race->rectangles, error));
    TRY(memory_create_all(racers, error, &race->racer, &race->idle));
    TRY(memory_create(&race->lowest, model->buffers, sizeof *race->lowest, error));

    /* Strategies that learn come first, since they find most of the plans that the others did not
       find in the round before. */
    if (model->buffers > FEW_BUFFERS)
        add_racers(race, racers, true);
    add_racers(race, racers, false);
    assert(race->racers <= racers);
    HAND_OVER(race, created);
}

void exact_race_free(struct exact_race *race)
{
    if (!race)
        return;
    for (uint32_t i = 0; i < race->racers; i++) {
        memory_free(race->racer[i].rank);
        exact_experience_free(race->racer[i].experience);
        exact_experience_free(race->racer[i].gained);
        exact_search_free(race->racer[i].search);
    }
    for (uint32_t i = 0; i < race->idle_count; i++)
        exact_search_free(race->idle[i]);
    memory_free_all(race->idle, race->lowest);
    for (uint32_t i = 0; i < GRIDS; i++)
        exact_grid_free(race->grid[i]);
    scratch_free(&race->rectangles.memory);
    memory_free(race->racer);
    pthread_mutex_destroy(&race->lock);
    memory_free(race);
}

/* Notes that a racer has an answer, which is in the state of its search, or an error, where search
   is NULL. The first such racer counts, so those after it are cancelled. */
static void note_answer(struct exact_race *race, uint32_t index, const struct exact_search *search)
{
    assert(index < race->racers);
    pthread_mutex_lock(&race->lock);
    if (index < race->answered) {
        race->answered = index;
        if (search) {
            const struct exact_state *state = exact_search_state(search);
            assert(state->capacity == race->last.capacity);
            memcpy(race->lowest, state->lowest, race->model->buffers * sizeof *race->lowest);
            race->next_capacity = state->next_capacity;
        }
    }
    for (uint32_t i = index + 1; i < race->racers; i++)
        race->racer[i].cancelled = true;
    pthread_mutex_unlock(&race->lock);
}

/* True where the strategy takes part in the round. In a short one, whose capacity mostly has a
   plan, those that take long and help with proofs only do not, and a beam needs slack. */
static bool takes_part(const struct exact_race *race, const struct exact_strategy *strategy)
{
    const struct exact_model *model = race->model;
    const struct exact_round *round = &race->last;
    double slack = 0, capacity = (double)round->capacity;
    if (round->number < strategy->from ||
        (round->is_short && strategy->effort != 1 && !strategy->learns))
        return false;
    for (uint32_t s = 0; strategy->is_beam && s < model->sections; s++) {
        assert(model->load[s] <= round->capacity);
        slack += capacity - (double)model->load[s];
    }
    return !strategy->is_beam || 100 * slack >= BEAM_SLACK * capacity * model->sections;
}

/* Begins a run of the racer, or goes on with the one that has paused. What a racer needs is created
   when it first runs, since most problems are solved by one of the first racers; a search only
   where none is idle, so there are no more than racers. */
static enum status run_search(struct exact_race *race, struct racer *racer, struct exact_run *run,
                              struct exact_search **search)
{
    const struct exact_model *model = race->model;
    struct error *error = &racer->error;
    bool learns = racer->strategy->learns;
    *search = racer->search;
    assert(!*search || (racer->rank && racer->gained));
    if (*search)
        return exact_search_go_on(*search, run, &racer->outcome, error);
    if (!racer->rank)
        TRY(memory_create(&racer->rank, model->buffers, sizeof *racer->rank, error));
    if (!racer->gained) {
        TRY(exact_strategy_rank(racer->strategy, model, racer->rank, error));
        if (!racer->experience)
            TRY(exact_experience_create(model, learns, &racer->experience, error));
        TRY(exact_experience_create(model, learns, &racer->gained, error));
    }
    pthread_mutex_lock(&race->lock);
    if (race->idle_count)
        *search = race->idle[--race->idle_count];
    pthread_mutex_unlock(&race->lock);
    if (!*search)
        TRY(exact_search_create(model, search, error));
    exact_experience_copy(model, racer->experience, racer->gained);
    racer->has_gained = true;
    run->rank = racer->rank;
    run->experience = racer->gained;
    return exact_search_run(*search, run, &racer->outcome, error);
}

static enum status run_strategy(struct exact_race *race, uint32_t index)
{
    const struct exact_round *round = &race->last;
    struct racer *racer = &race->racer[index];
    const struct exact_strategy *strategy = racer->strategy;
    struct exact_search *search;
    uint64_t effort = strategy->effort;
    if (round->is_short && strategy->learns && !strategy->is_beam)
        effort /= SHORT_ROUNDS_LESS;
    uint64_t placements = ((uint64_t)race->model->buffers * 3 / 2 + 8) * effort;
    assert(round->number >= strategy->from && placements > 0);
    struct exact_run run = {.strategy = strategy,
                            .rank = racer->rank,
                            .rules = race->rules,
                            .grid = race->asked,
                            .capacity = round->capacity,
                            .placements =
                                exact_round_double(placements, round->number - strategy->from),
                            .deadline_ns = round->deadline_ns,
                            .pause_ns = round->pause_ns,
                            .cancelled = &racer->cancelled,
                            .experience = racer->gained};
    enum status status = run_search(race, racer, &run, &search);
    racer->search = NULL;
    assert(status || search);
    if (!status && racer->outcome != EXACT_STOPPED)
        note_answer(race, index, search);
    racer->ran = status || racer->outcome != EXACT_STOPPED || !exact_search_can_go_on(search);
    if (racer->ran) {
        if (search)
            return_search(race, search);
        return status;
    }
    racer->search = search;
    race->paused = true;
    return STATUS_OK;
}

/* Ends the round for all racers, also for those that have paused in the midst of their runs. What
   the racers up to the one with the answer have gained is kept; what later ones gained is
   forgotten, since it depends on the number of threads. */
static void end_round(struct exact_race *race)
{
    race->paused = false;
    for (uint32_t i = 0; i < race->racers; i++) {
        struct racer *racer = &race->racer[i];
        struct exact_experience *gained = racer->gained;
        if (racer->has_gained && i <= race->answered) {
            racer->gained = racer->experience;
            racer->experience = gained;
        }
        if (racer->search)
            return_search(race, racer->search);
        racer->search = NULL;
        racer->ran = racer->has_gained = false;
    }
}

/* Begins a round, or continues one after a pause: then racers whose runs have ended do not run
   again. */
static void begin_round(struct exact_race *race, const struct exact_round *round)
{
    const struct exact_round *last = &race->last;
    bool is_last = last->capacity == round->capacity && last->number == round->number &&
                   last->is_short == round->is_short;
    race->answered = race->racers;
    if (race->paused && !is_last)
        end_round(race);
    race->last = *round;
    race->paused = race->has_begun = false;
    for (uint32_t i = 0; i < race->racers; i++) {
        assert(is_last || !race->racer[i].search);
        race->racer[i].cancelled = false;
    }
}

static void run_racer(void *context, uint32_t index)
{
    struct exact_race *race = context;
    struct racer *racer = &race->racer[index];
    if (index >= race->answered || !takes_part(race, racer->strategy) || racer->ran ||
        !clock_left_ns(race->last.deadline_ns))
        return;

    /* One racer may always run before the pause, so that the race makes progress however little
       time there is. */
    pthread_mutex_lock(&race->lock);
    bool may_run = !race->has_begun || clock_left_ns(race->last.pause_ns);
    race->has_begun = true;
    pthread_mutex_unlock(&race->lock);
    if (!may_run) {
        race->paused = true;
        return;
    }
    racer->status = run_strategy(race, index);
    if (racer->status)
        note_answer(race, index, NULL);
}

/* Where no section is nearly full, few buffers are larger than the slack. Handing over then says
   little and takes most of the time where only one capacity is asked for. */
static unsigned choose_rules(const struct exact_race *race)
{
    enum { FREE_PARTS = 32 };
    const struct exact_model *model = race->model;
    uint64_t capacity = race->last.capacity, least = capacity;
    for (uint32_t s = 0; s < model->sections; s++) {
        uint64_t left = model->load[s] < capacity ? capacity - model->load[s] : 0;
        least = left < least ? left : least;
    }
    return least > 0 && least >= capacity / FREE_PARTS
               ? race->options.rules & ~(unsigned)EXACT_RULE_HANDOVER
               : race->options.rules;
}

/* One where a round of few buffers takes about as long as a thread to begin. */
static uint32_t count_threads(const struct exact_race *race)
{
    enum { PAYS_FROM = 1 << 14 };
    uint64_t buffers = race->model->buffers;
    return exact_round_double(buffers * buffers, race->last.number) < PAYS_FROM
               ? 1
               : race->options.threads;
}

enum status exact_race_run(struct exact_race *race, const struct exact_round *round,
                           struct exact_answer *answer, struct error *error)
{
    assert(round->number <= EXACT_LAST_ROUND && answer->offset);
    uint32_t lanes = exact_grid_lanes(&race->rectangles, round->capacity);
    struct exact_grid **grid = &race->grid[lanes / 8];
    assert(lanes / 8 < GRIDS);
    if (!*grid)
        TRY(exact_grid_create(&race->rectangles, lanes, grid, error));
    race->asked = *grid;
    begin_round(race, round);
    race->rules = choose_rules(race);
    parallel_run(count_threads(race), race->racers, run_racer, race);
    assert(race->answered <= race->racers);
    if (race->answered < race->racers || !race->paused)
        end_round(race);
    answer->outcome = EXACT_STOPPED;
    answer->paused = race->paused;
    if (race->answered == race->racers)
        return STATUS_OK;
    const struct racer *racer = &race->racer[race->answered];
    if (racer->status) {
        *error = racer->error;
        return racer->status;
    }
    answer->outcome = racer->outcome;
    assert(racer->outcome != EXACT_STOPPED);
    if (answer->outcome == EXACT_FOUND)
        memcpy(answer->offset, race->lowest, race->model->buffers * sizeof *answer->offset);
    else
        answer->next_capacity = race->next_capacity;
    assert(answer->outcome != EXACT_REFUTED || answer->next_capacity > round->capacity);
    return STATUS_OK;
}

void exact_race_count(const struct exact_race *race, uint64_t counter[SEARCH_COUNTERS])
{
    for (uint32_t i = 0; i < race->racers; i++) {
        const struct racer *racer = &race->racer[i];
        const struct exact_experience *last = racer->has_gained ? racer->gained : racer->experience;
        for (uint32_t c = 0; last && c < SEARCH_COUNTERS; c++)
            counter[c] += last->counter[c];
    }
}
