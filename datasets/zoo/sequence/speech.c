#include <stdio.h>

#include "datasets/network/control.h"
#include "datasets/zoo/zoo.h"

/* Small networks that always listen. Wake word: DS-CNN of Zhang et al., "Hello Edge: Keyword
   Spotting on Microcontrollers" (2017); the small one hears every second of sound, and only where
   it hears a word does the large one look again. Denoising: RNNoise of Valin, "A Hybrid DSP/Deep
   Learning Approach to Real-Time Full-Band Speech Enhancement" (2018), Figure 2, frame by frame;
   the gains are computed only where there is sound. */

enum { FRAMES = 49, COEFFICIENTS = 10, WORDS = 12 };
enum { FEATURES = 42, BANDS = 22, VOICE = 24, NOISE = 48, DENOISE = 96, STATES = 3 };

struct ds_cnn {
    const char *name;
    uint32_t channels, layers;
};

static uint32_t add_ds_cnn(struct network *network, const struct ds_cnn *net, uint32_t x)
{
    char name[32];
    const struct network_window first = {10, 4, 2, 1, NETWORK_SAME, 0};
    snprintf(name, sizeof name, "%s_conv1", net->name);
    x = network_conv(network, name, x, network_filters(net->channels, first), NETWORK_RELU);
    for (uint32_t i = 1; i <= net->layers; i++) {
        snprintf(name, sizeof name, "%s_dw%u", net->name, i);
        x = network_depthwise_conv(network, name, x, network_same(3, 1), NETWORK_RELU);
        snprintf(name, sizeof name, "%s_pw%u", net->name, i);
        x = network_conv(network, name, x, network_filters(net->channels, network_same(1, 1)),
                         NETWORK_RELU);
    }
    snprintf(name, sizeof name, "%s_pool", net->name);
    x = network_global_average_pool(network, name, x);
    snprintf(name, sizeof name, "%s_fc", net->name);
    x = network_dense(network, name, x, WORDS, NETWORK_LINEAR);
    snprintf(name, sizeof name, "%s_softmax", net->name);
    return network_softmax(network, name, x);
}

static uint32_t build_wake_word(struct network *network, const void *variant)
{
    static const struct ds_cnn small = {"small", 64, 4}, large = {"large", 276, 5};
    (void)variant;
    uint32_t sound = network_input(network, "mfcc", FRAMES, COEFFICIENTS, 1);
    uint32_t heard = add_ds_cnn(network, &small, sound);
    network_open_branches(network, "heard", "If", heard);
    network_open_region(network, "verify", 0.05);
    uint32_t x = add_ds_cnn(network, &large, sound);
    network_close_region(network, &x, 1);
    network_open_region(network, "sleep", 0.95);
    network_close_region(network, &heard, 1);
    network_close_branches(network, "heard", &x, 1);
    return x;
}

/* What is noise and what is left of the speech: three GRUs, of which the first tells voice. */
static uint32_t add_gains(struct network *network, uint32_t frame, uint32_t dense,
                          uint32_t state[STATES])
{
    const uint32_t noise[] = {dense, state[0], frame};
    uint32_t x = network_concat(network, "noise_input", noise, 3);
    state[1] = network_gru_cell(network, "noise", x, state[1]);
    const uint32_t denoise[] = {state[0], state[1], frame};
    x = network_concat(network, "denoise_input", denoise, 3);
    state[2] = network_gru_cell(network, "denoise", x, state[2]);
    return network_dense(network, "gains", state[2], BANDS, NETWORK_SIGMOID);
}

/* After the If: next states and gains. Where nothing is heard, gains are zero. */
static void add_frame(struct network *network, uint32_t frame, uint32_t next[STATES + 1])
{
    uint32_t dense = network_dense(network, "dense", frame, VOICE, NETWORK_TANH);
    next[0] = network_gru_cell(network, "voice", dense, next[0]);
    uint32_t voice = network_dense(network, "voice_out", next[0], 1, NETWORK_SIGMOID);
    uint32_t kept[] = {next[1], next[2], 0};
    network_open_branches(network, "is_heard", "If", voice);
    network_open_region(network, "clean", 0.7);
    next[3] = add_gains(network, frame, dense, next);
    network_close_region(network, next + 1, 3);
    network_open_region(network, "silence", 0.3);
    kept[2] = network_zeros(network, "no_gains", BANDS);
    network_close_region(network, kept, 3);
    network_close_branches(network, "is_heard", next + 1, 3);
}

static uint32_t build_denoise(struct network *network, const void *variant)
{
    static const uint32_t units[STATES] = {VOICE, NOISE, DENOISE};
    static const char *const names[STATES] = {"voice_0", "noise_0", "denoise_0"};
    uint32_t turns = network_sequence(network, 100), next[STATES + 1];
    (void)variant;
    uint32_t sound = network_series(network, "features", turns, FEATURES);
    struct network_loop loop = {.name = "frames", .turns = turns, .values = STATES};
    for (int i = 0; i < STATES; i++)
        loop.value[i] = network_zeros(network, names[i], units[i]);
    network_open_loop(network, &loop);
    for (int i = 0; i < STATES; i++)
        next[i] = loop.value[i];
    add_frame(network, network_step(network, "frame", sound), next);
    return network_close_loop(network, &loop, next, next[STATES]);
}

static const struct zoo_network rows[] = {
    {"zoo/wake_word", "Wake word, small then large DS-CNN (Zhang et al. 2017)", true, 0,
     build_wake_word, NULL},
    {"zoo/denoise", "RNNoise, 100 frames, silence left out (Valin 2018)", true, ZOO_SEQUENCE,
     build_denoise, NULL},
};
ZOO_DEFINE(speech, rows);
