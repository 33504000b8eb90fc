#include "support/testing.h"
static void none(void){}
static const struct test_case cases[]={{"none",none}};
TESTING_MAIN("x",cases)
