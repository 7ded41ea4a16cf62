/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces of a program, and what its modules' references are bound to.
 */
#include <stdio.h>
#include <string.h>

#include "session_internal.h"
#include "simt_module.h"

/* The machine checks the texture and gives it a handle, the answer's value. */
wire_status_t session_texture(session_t *s) {
  rt_texture_t texture;
  trouble_t err = {0};
  if (s->request.size != sizeof texture) return session_fail(s, WIRE_REFUSED, "a texture of an impossible size");
  memcpy(&texture, s->data, sizeof texture);
  if (!system_texture(s->system, &texture, &s->answer.value, &err)) return WIRE_DONE;
  return session_refused(s, &err, system_has_textures(s->system) ? WIRE_REFUSED : WIRE_UNSUPPORTED);
}

wire_status_t session_texture_drop(session_t *s) {
  trouble_t err = {0};
  return system_texture_drop(s->system, s->request.a[0], &err) ? session_refused(s, &err, WIRE_REFUSED) : WIRE_DONE;
}

/* Binds a reference to a handle; 0: to none. The answer's value is 1 for a surface reference, so a
 * program can ask which kind a name is. */
wire_status_t session_bind(session_t *s) {
  const session_module_t *m = session_module(s, s->request.a[0]);
  const char *name = (const char *)s->data;
  trouble_t err = {0};
  if (!m) return WIRE_REFUSED;
  const ptx_var_t *v = simt_reference(m->ptx, name);
  if (!v) {
    snprintf(s->error, sizeof s->error, "no texture or surface reference %.200s in %s", name, m->ptx->file);
    return WIRE_NOT_FOUND;
  }
  s->answer.value = v->type == PTX_SURFREF;
  if (simt_bind(system_variables(s->system, m->ptx), m->ptx, name, s->request.a[1], &err))
    return session_refused(s, &err, WIRE_BROKEN);
  return WIRE_DONE;
}
