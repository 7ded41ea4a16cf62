#include <lockstack.h>
int main() { lockstack_close(nullptr); }
