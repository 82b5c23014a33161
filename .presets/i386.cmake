# For i386, where a long has 32 bits. Debian: gcc-i686-linux-gnu, and the libraries of the README, which
# .presets/sysroot.sh i386 BUILD/root unpacks. Most kernels of x86-64 run what is made of them; for others
# qemu-user-static.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(multiarch i386-linux-gnu)
set(emulated i386)
set(loader ld-linux.so.2)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
if(CMAKE_SYSROOT)
	execute_process(COMMAND ${loader} --version RESULT_VARIABLE failure OUTPUT_QUIET ERROR_QUIET)
	if(NOT failure)
		set(CMAKE_CROSSCOMPILING_EMULATOR env)
	else() # to qemu all of a file has the rights that its first page has (/proc/self/maps)
		string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT ,-z,noseparate-code)
	endif()
endif()
