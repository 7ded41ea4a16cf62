/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes code of a list of keys, gpu_keys.def say. Include this file before each use of a list, with
 * one of these defined; it takes that macro away again:
 *
 *   KEYS_AS_FIELDS      the fields of the struct of values: unsigned num_sms;
 *   KEYS_AS_DEFAULTS    statements that set the fields of the struct at `values` to the defaults
 *   KEYS_AS_TABLE       entries of a table of config_key_t (config.h), of the struct KEYS_OF;
 *                       KEYS_IN: where in it the fields are, `stack.` say, or defined as nothing
 *
 *   #define KEYS_AS_TABLE
 *   #define KEYS_OF gpu_config_t
 *   #define KEYS_IN
 *   #include "key_list.h"
 *   const config_key_t gpu_keys[] = {
 *   #include "gpu_keys.def"
 *       {0}};
 *
 * A list has one entry for each key:
 *
 *   KEY_UINT(key, field, least, most, default, unit, source, text)
 *   KEY_UINT64                                          the same, in a uint64_t
 *   KEY_REAL(key, field, least, most, default, unit, source, text)
 *   KEY_BOOL(key, field, default, source, text)
 *   KEY_ENUM(key, field, names, default, source, text)  names: an array, NULL behind the last
 *   KEY_TEXT(key, field, size, default, source, text)   size: of the field, with its end
 *   SUB_UINT, SUB_BOOL                                  the field is in a struct that another model
 *                                                       declares: all but KEYS_AS_FIELDS
 *
 * Entries of a unit are in a struct of their own, struct gpu_l2_config l2 say:
 *   SECTION(gpu_l2_config, l2)
 *   UNIT_UINT("l2.bytes", l2, bytes, 1024, ...)   UNIT_X(key, unit, field, ...): as KEY_X
 *   SECTION_END(gpu_l2_config, l2)
 */
#undef KEY_UINT
#undef KEY_UINT64
#undef KEY_REAL
#undef KEY_BOOL
#undef KEY_ENUM
#undef KEY_TEXT
#undef SUB_UINT
#undef SUB_BOOL
#undef UNIT_UINT
#undef UNIT_REAL
#undef UNIT_BOOL
#undef UNIT_ENUM
#undef UNIT_TEXT
#undef SECTION
#undef SECTION_END

#ifdef KEYS_AS_FIELDS
#undef KEYS_AS_FIELDS
#define KEY_UINT(key, field, least, most, def, unit, source, text) unsigned field;
#define KEY_UINT64(key, field, least, most, def, unit, source, text) uint64_t field;
#define KEY_REAL(key, field, least, most, def, unit, source, text) double field;
#define KEY_BOOL(key, field, def, source, text) bool field;
#define KEY_ENUM(key, field, names, def, source, text) unsigned field;
#define KEY_TEXT(key, field, size, def, source, text) char field[size];
#define SUB_UINT(...)
#define SUB_BOOL(...)
#define UNIT_UINT(key, unit, field, ...) KEY_UINT(key, field, __VA_ARGS__)
#define UNIT_REAL(key, unit, field, ...) KEY_REAL(key, field, __VA_ARGS__)
#define UNIT_BOOL(key, unit, field, ...) KEY_BOOL(key, field, __VA_ARGS__)
#define UNIT_ENUM(key, unit, field, ...) KEY_ENUM(key, field, __VA_ARGS__)
#define UNIT_TEXT(key, unit, field, ...) KEY_TEXT(key, field, __VA_ARGS__)
#define SECTION(tag, unit) struct tag {
#define SECTION_END(tag, unit) \
  }                            \
  unit;
#else
#define UNIT_UINT(key, unit, field, ...) KEY_UINT(key, unit.field, __VA_ARGS__)
#define UNIT_REAL(key, unit, field, ...) KEY_REAL(key, unit.field, __VA_ARGS__)
#define UNIT_BOOL(key, unit, field, ...) KEY_BOOL(key, unit.field, __VA_ARGS__)
#define UNIT_ENUM(key, unit, field, ...) KEY_ENUM(key, unit.field, __VA_ARGS__)
#define UNIT_TEXT(key, unit, field, ...) KEY_TEXT(key, unit.field, __VA_ARGS__)
#define SECTION(tag, unit)
#define SECTION_END(tag, unit)
#endif

#ifdef KEYS_AS_DEFAULTS
#undef KEYS_AS_DEFAULTS
#define KEY_UINT(key, field, least, most, def, unit, source, text) values->field = (def);
#define KEY_UINT64 KEY_UINT
#define KEY_REAL KEY_UINT
#define KEY_BOOL(key, field, def, source, text) values->field = (def);
#define KEY_ENUM(key, field, names, def, source, text) values->field = (def);
#define KEY_TEXT(key, field, size, def, source, text) snprintf(values->field, sizeof values->field, "%s", def);
#define SUB_UINT KEY_UINT
#define SUB_BOOL KEY_BOOL
#endif

#ifdef KEYS_AS_TABLE
#undef KEYS_AS_TABLE
#undef KEY_ENTRY
#define KEY_ENTRY(key, field, type, least, most, names, unit, source, text)                                  \
  {key,   text, source, unit, type, offsetof(KEYS_OF, KEYS_IN field), sizeof(((KEYS_OF *)0)->KEYS_IN field), \
   least, most, names},
#define KEY_UINT(key, field, least, most, def, unit, source, text) \
  KEY_ENTRY(key, field, CONFIG_UINT, least, most, NULL, unit, source, text)
#define KEY_UINT64 KEY_UINT
#define KEY_REAL(key, field, least, most, def, unit, source, text) \
  KEY_ENTRY(key, field, CONFIG_REAL, least, most, NULL, unit, source, text)
#define KEY_BOOL(key, field, def, source, text) KEY_ENTRY(key, field, CONFIG_BOOL, 0, 1, NULL, "", source, text)
#define KEY_ENUM(key, field, names, def, source, text) \
  KEY_ENTRY(key, field, CONFIG_ENUM, 0, sizeof names / sizeof *names - 2, names, "", source, text)
#define KEY_TEXT(key, field, size, def, source, text) KEY_ENTRY(key, field, CONFIG_TEXT, 0, 0, NULL, "", source, text)
#define SUB_UINT KEY_UINT
#define SUB_BOOL KEY_BOOL
#endif
