/* SPDX-License-Identifier: Apache-2.0
 *
 * The near-bank memory controller.
 */
#include "unit_test.h"

#include <string.h>

#include "near_mc.h"

static near_mc_t mc;
static memory_image_t *image;

static int make_image(void **state) {
  (void)state;
  image = memory_image_new();
  return image ? 0 : -1;
}

static int free_image(void **state) {
  (void)state;
  memory_image_free(image);
  return 0;
}

/* One request alone: cycles from push to answer. */
static uint64_t alone(uint32_t addr, bool write, uint64_t *now) {
  near_mc_request_t r = {.addr = addr, .write = write, .mask = UINT32_MAX, .tag = 9};
  near_mc_step(&mc, *now);
  near_mc_push(&mc, &r, *now);
  for (uint64_t start = *now;;) {
    near_mc_step(&mc, ++*now);
    const near_mc_answer_t *a = near_mc_answer(&mc, *now);
    if (a) return *now - start;
  }
}

static void isolated(void **state) {
  (void)state;
  near_mc_config_t c = near_mc_config_default();
  c.vault.refresh = false;
  c.vault.row_buffers = 1;
  uint64_t now = 0;
  near_mc_init(&mc, &c, image, 0);
  assert_int_equal(alone(0, false, &now), 1 + 14 + 14 + 1);
  assert_int_equal(alone(32, false, &now), 1 + 14 + 1);
  now += 100;
  assert_int_equal(alone(near_mc_addr(&c, 0, 1, 0), false, &now), 1 + 14 + 14 + 14 + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(isolated, make_image, free_image)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
