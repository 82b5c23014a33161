set(CMAKE_BUILD_TYPE Debug CACHE STRING "address and undefined-behaviour sanitizers")
set(PERFTOP_WERROR ON CACHE BOOL "warnings are errors")
set(PERFTOP_SANITIZE ON CACHE BOOL "run with sanitizers")
