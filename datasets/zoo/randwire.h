#ifndef MEMPLAN_DATASETS_ZOO_RANDWIRE_H
#define MEMPLAN_DATASETS_ZOO_RANDWIRE_H

#include "datasets/zoo/zoo.h"

/* Writes the text of a randomly wired network, made of the blocks of texts/randwire.txt. */
void zoo_write_randwire(const struct zoo_network *zoo, struct text *text);

#endif
