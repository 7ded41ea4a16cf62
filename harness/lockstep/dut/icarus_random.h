/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of icarus_vpi.c: $random, $urandom and $urandom_range in the place of vvp's own, so that
 * they follow the device's seed (random.h), which icarus_shim.cpp gives as the argument
 * +lockstack_seed=N.
 */
#ifndef ICARUS_RANDOM_H
#define ICARUS_RANDOM_H

#include "random.h"

#include <stdlib.h>
#include <vpi_user.h>

static uint64_t random_state;

static void find_seed(void) {
  static const char word[] = "+lockstack_seed=";
  s_vpi_vlog_info info;
  uint64_t seed = RANDOM_SEED;
  vpi_get_vlog_info(&info);
  for (int i = 0; i < info.argc; i++)
    if (strncmp(info.argv[i], word, sizeof word - 1) == 0) seed = strtoull(info.argv[i] + sizeof word - 1, NULL, 10);
  random_state = random_start(seed);
}

static int32_t integer_of(vpiHandle argument) {
  s_vpi_value value = {.format = vpiIntVal};
  vpi_get_value(argument, &value);
  return value.value.integer;
}

static void answer(int32_t number) {
  s_vpi_value value = {.format = vpiIntVal, .value.integer = number};
  vpi_put_value(vpi_handle(vpiSysTfCall, NULL), &value, NULL, vpiNoDelay);
}

/* The arguments of the call, at most two; how many there are. */
static unsigned arguments_of(vpiHandle argument[2]) {
  vpiHandle all = vpi_iterate(vpiArgument, vpi_handle(vpiSysTfCall, NULL)), one;
  unsigned n = 0;
  while (all && (one = vpi_scan(all)))
    if (n < 2) argument[n++] = one;
  return n;
}

static PLI_INT32 on_random(PLI_BYTE8 *is_signed) {
  vpiHandle variable[2];
  if (!arguments_of(variable)) return answer((int32_t)random_next(&random_state)), 0;
  int32_t seed = integer_of(variable[0]);
  const uint32_t number = (uint32_t)random_of_variable(&seed);
  s_vpi_value value = {.format = vpiIntVal, .value.integer = seed};
  vpi_put_value(variable[0], &value, NULL, vpiNoDelay);
  return answer((int32_t)(is_signed ? number : number ^ 1u << 31)), 0;
}

static PLI_INT32 on_range(PLI_BYTE8 *unused) {
  vpiHandle end[2];
  const unsigned n = arguments_of(end);
  (void)unused;
  return answer((int32_t)random_range(&random_state, n > 0 ? (uint32_t)integer_of(end[0]) : 0,
                                      n > 1 ? (uint32_t)integer_of(end[1]) : 0)),
         0;
}

static PLI_INT32 of_word(PLI_BYTE8 *unused) {
  (void)unused;
  return 32;
}

static void register_random(void) {
  static char is_signed[] = "signed";
  s_vpi_systf_data task = {.type = vpiSysFunc,
                           .sysfunctype = vpiSysFuncInt,
                           .tfname = (PLI_BYTE8 *)"$random",
                           .calltf = on_random,
                           .user_data = is_signed};
  vpi_register_systf(&task);
  task = (s_vpi_systf_data){.type = vpiSysFunc,
                            .sysfunctype = vpiSysFuncSized,
                            .tfname = (PLI_BYTE8 *)"$urandom",
                            .calltf = on_random,
                            .sizetf = of_word};
  vpi_register_systf(&task);
  task.tfname = (PLI_BYTE8 *)"$urandom_range";
  task.calltf = on_range;
  vpi_register_systf(&task);
  find_seed();
}

#endif
