set(CMAKE_BUILD_TYPE Debug CACHE STRING "for the debugger")
set(PERFTOP_WERROR ON CACHE BOOL "warnings are errors")
