/* SPDX-License-Identifier: Apache-2.0
 *
 * PARAM_RULE(expression, "text"): rules across parameters. A set of values that breaks one is bad
 * input: "X.ports:12: Classes divides NumVCs: NumVCs % Classes == 0 does not hold for NumVCs=3,
 * Classes=2".
 */
#ifndef PORT_RULES_H
#define PORT_RULES_H

#include "port_reading.h"

/* Call both when parameters have their numbers. The first one sets the file's trouble to the first
 * rule that is broken or that is no condition on parameters; the second one only answers. */
bool port_check_rules(port_reading_t *c);
bool port_rules_hold(port_reading_t *c);

#endif
