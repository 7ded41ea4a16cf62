/* SPDX-License-Identifier: Apache-2.0
 *
 * What suites can name: blocks, variants, systems and workloads of the build, and the options of
 * every verb. The catalog is the same for the whole life of the program.
 */
#ifndef REGRESS_CATALOG_H
#define REGRESS_CATALOG_H

#include "suite.h"

const suite_catalog_t *regress_catalog(void);

#endif
