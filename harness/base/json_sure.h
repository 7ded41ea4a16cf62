/* SPDX-License-Identifier: Apache-2.0
 *
 * Jansson without its silent losses. Include this header instead of <jansson.h>
 * (tests/lint/style.sh checks).
 *
 * Jansson returns NULL for a text that is not UTF-8 and for a number that is not finite. Adding
 * NULL to a list or an object then adds nothing, so a result could lose a failure. The wrappers
 * here make texts valid (utf8.h) and turn such numbers into null. A member that is NULL is an
 * internal error: one line, exit status 3.
 *
 * Formats of json_pack: { } [ ], s (with ?, # or %), b, i, I, f, n, o, O. Any other format is an
 * internal error, too.
 */
#ifndef JSON_SURE_H
#define JSON_SURE_H

#include <jansson.h>
#include <stddef.h>

json_t *json_sure_string(const char *text); /* NULL gives null */
json_t *json_sure_stringn(const char *text, size_t size);
json_t *json_sure_real(double value);
/* `where` is "FILE:LINE" of the caller, for the line of an internal error. */
json_t *json_sure_pack(const char *where, const char *format, ...);
int json_sure_set(const char *where, json_t *object, const char *key, json_t *value);
int json_sure_append(const char *where, json_t *array, json_t *value);
int json_sure_update(const char *where, json_t *object, json_t *more);

#define JSON_SURE_TEXT(x) #x
#define JSON_SURE_LINE(x) JSON_SURE_TEXT(x)
#define JSON_SURE_HERE __FILE__ ":" JSON_SURE_LINE(__LINE__)

#define json_string json_sure_string
#define json_stringn json_sure_stringn
#define json_real json_sure_real
#define json_pack(...) json_sure_pack(JSON_SURE_HERE, __VA_ARGS__)
#define json_object_set_new(object, key, value) json_sure_set(JSON_SURE_HERE, object, key, value)
#define json_array_append_new(array, value) json_sure_append(JSON_SURE_HERE, array, value)
#define json_object_update_new(object, more) json_sure_update(JSON_SURE_HERE, object, more)

#endif
