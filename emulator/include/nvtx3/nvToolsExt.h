// Marks for a profiler's timeline. There is no timeline here: they do nothing.
#pragma once

#include <stdint.h>

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
  } payload;
  int32_t messageType;
  union {
    const char* ascii;
  } message;
} nvtxEventAttributes_t;
enum {
  NVTX_COLOR_UNKNOWN = 0,
  NVTX_COLOR_ARGB = 1,
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1
};
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))

static inline void nvtxMarkA(const char* text) { (void)text; }
static inline void nvtxMarkEx(const nvtxEventAttributes_t* event) { (void)event; }
static inline int nvtxRangePushA(const char* text) { return (void)text, 0; }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t* event) { return (void)event, 0; }
static inline int nvtxRangePop(void) { return 0; }
static inline nvtxRangeId_t nvtxRangeStartA(const char* text) { return (void)text, 0; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) {
  return (void)event, 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t range) { (void)range; }
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
