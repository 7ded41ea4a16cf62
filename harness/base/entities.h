/* SPDX-License-Identifier: Apache-2.0
 *
 * Entities of XML, as Verilator writes names and values: &quot; &apos; &lt; &gt; &amp; and numbers,
 * &#10;.
 */
#ifndef ENTITIES_H
#define ENTITIES_H

/* Replaces entities by their characters, in place. What is none stays. */
void entities_decode(char *text);

#endif
