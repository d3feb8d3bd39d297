#include "okapi/utils/memory.h"

#ifdef _WIN32
#define NOMINMAX
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace okapi::uci {

std::uint64_t memory_mb() {
#ifdef _WIN32
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys >> 20 : 0;
#else
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long bytes = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && bytes > 0 ? std::uint64_t(pages) * std::uint64_t(bytes) >> 20 : 0;
#endif
}

}  // namespace okapi::uci
