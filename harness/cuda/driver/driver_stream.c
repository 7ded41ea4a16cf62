/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: streams and events. Each request is done when its call returns, so a stream is
 * always idle, and waiting for one does nothing. An event has the simulated time of its record;
 * time only passes while kernels run.
 */
#include <stdlib.h>

#include "context.h"

/* A wish for a higher priority (below 0) becomes 0. */
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  NEED();
  if (!stream || flags > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  CUstream s = malloc(sizeof *s);
  if (!s) return CUDA_ERROR_OUT_OF_MEMORY;
  *s = (struct CUstream_st){flags, priority < 0 ? 0 : priority};
  *stream = s;
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

/* Handles of the API that are no pointers. */
static bool is_default(CUstream stream) {
  return !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  NEED();
  if (is_default(stream)) return CUDA_ERROR_INVALID_HANDLE;
  free(stream);
  return CUDA_SUCCESS;
}

/* Nothing is ever pending. */
CUresult cuStreamSynchronize(CUstream stream) {
  NEED();
  (void)stream;
  return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream stream) {
  return cuStreamSynchronize(stream);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  NEED();
  (void)stream, (void)flags;
  return event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* The callback runs at once, in this thread. */
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void *data, unsigned flags) {
  NEED();
  if (!function || flags) return CUDA_ERROR_INVALID_VALUE;
  function(stream, CUDA_SUCCESS, data);
  return CUDA_SUCCESS;
}

/* Runs at once, in this thread. */
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  (void)stream;
  NEED();
  if (!function) return CUDA_ERROR_INVALID_VALUE;
  function(data);
  return CUDA_SUCCESS;
}

/* Managed memory goes with each launch, whatever its stream. */
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags) {
  NEED();
  (void)stream, (void)address, (void)bytes, (void)flags;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  NEED();
  *flags = is_default(stream) ? CU_STREAM_DEFAULT : stream->flags;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  NEED();
  if (!id) return CUDA_ERROR_INVALID_VALUE;
  *id = (uintptr_t)stream;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
  NEED();
  (void)stream;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  NEED();
  *priority = is_default(stream) ? 0 : stream->priority;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  NEED();
  (void)stream;
  *context = context_current();
  return CUDA_SUCCESS;
}

/* There are no graphs. */
CUresult cuStreamIsCapturing(CUstream stream, int *status) {
  NEED();
  (void)stream;
  *status = 0;
  return CUDA_SUCCESS;
}

/* ---- events ---- */

/* Events of several processes are refused. */
CUresult cuEventCreate(CUevent *event, unsigned flags) {
  NEED();
  if (!event || flags > (CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS))
    return CUDA_ERROR_INVALID_VALUE;
  if (flags & CU_EVENT_INTERPROCESS) return device_absent("cuEventCreate of an event for several processes");
  CUevent e = malloc(sizeof *e);
  if (!e) return CUDA_ERROR_OUT_OF_MEMORY;
  *e = (struct CUevent_st){.flags = flags};
  *event = e;
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
  NEED();
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  free(event);
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  NEED();
  (void)stream;
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  event->recorded = true;
  event->time_ns = device_now_ns();
  return CUDA_SUCCESS;
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  (void)flags;
  return cuEventRecord(event, stream);
}

/* A recorded event has happened. */
CUresult cuEventSynchronize(CUevent event) {
  NEED();
  return event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuEventQuery(CUevent event) {
  return cuEventSynchronize(event);
}

/* Simulated time between two records. */
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  NEED();
  if (!milliseconds) return CUDA_ERROR_INVALID_VALUE;
  if (!start || !end || !start->recorded || !end->recorded || (start->flags | end->flags) & CU_EVENT_DISABLE_TIMING)
    return CUDA_ERROR_INVALID_HANDLE;
  *milliseconds = (float)((end->time_ns - start->time_ns) * 1e-6);
  return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime(milliseconds, start, end);
}
