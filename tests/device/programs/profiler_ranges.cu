/* Ranges and marks for a profiler, with attributes and in domains, as programs and CCCL write them. */
// PTX: st\.global
#include <cuda_profiler_api.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

__global__ void set(int *p) { *p = 1; }

int main() {
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.colorType = NVTX_COLOR_ARGB;
    event.color = 0xff00ff00;
    event.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
    event.payload.dValue = 1;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "set";
    nvtxRangePushEx(&event);
    nvtxDomainHandle_t domain = nvtxDomainCreateA("mine");
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterString(domain, "inner");
    nvtxRangeId_t range = nvtxDomainRangeStartEx(domain, &event);
    set<<<1, 1>>>(nullptr);
    nvtxDomainRangeEnd(domain, range);
    nvtxDomainDestroy(domain);
    nvtxMark("done");
    nvtxRangePop();
    return 0;
}
