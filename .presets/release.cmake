set(CMAKE_BUILD_TYPE Release CACHE STRING "what is installed")
