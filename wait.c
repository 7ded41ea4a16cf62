#include <lockstack.h>
#include <stdio.h>
#include <unistd.h>
int main(void) { char e[LOCKSTACK_ERROR]; lockstack_t *l = lockstack_open("baseline", NULL, e); puts(l ? "open" : e); fflush(stdout); pause(); }
