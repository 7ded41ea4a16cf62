/* SPDX-License-Identifier: Apache-2.0
 *
 * Files outside of a build's copies: tools, headers of the machine, images. The cache keeps their
 * checksums with their stamps, so that a file is read again only when its stamp has changed.
 * recipe_outside (recipe.h) asks for one.
 */
#ifndef OBJECT_OUTSIDE_H
#define OBJECT_OUTSIDE_H

#include "recipe.h"

/* Loads the checksums that earlier builds stored; a damaged list counts as empty. */
void object_outside_load(recipe_t *r);

/* Stores the checksums for later builds, without files that are gone. One rename, so concurrent
 * builds do no harm. */
void object_outside_save(recipe_t *r);

#endif
