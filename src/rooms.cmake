# The program is built as rooms: one static library each, with doors between them.
#
# A room's headers are reached as "ROOM/file.h", through a folder of links that only those
# rooms have on their include path that declare to know it (KNOWS). A wrong include does not compile.

add_library(perftop_compile INTERFACE)
target_compile_definitions(perftop_compile INTERFACE _GNU_SOURCE)
target_compile_options(perftop_compile INTERFACE
	-Wall -Wextra -Wno-unused-parameter -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes
	-Wpointer-arith -Wvla -Wswitch-enum -Wundef -Wwrite-strings)
# Where a long has 32 bits files may be larger and times later than these count. A double is the same everywhere: the
# x87 computes with more digits, and comes to others in the end.
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
	target_compile_definitions(perftop_compile INTERFACE _FILE_OFFSET_BITS=64 _TIME_BITS=64)
	if(CMAKE_SYSTEM_PROCESSOR MATCHES "86")
		target_compile_options(perftop_compile INTERFACE -msse2 -mfpmath=sse)
	endif()
endif()
if(PERFTOP_WERROR)
	target_compile_options(perftop_compile INTERFACE -Werror)
endif()
# perftop_plain is for what only runs beside the program, which is never sanitized.
add_library(perftop_plain INTERFACE)
foreach(property INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_DEFINITIONS)
	get_target_property(value perftop_compile ${property})
	set_target_properties(perftop_plain PROPERTIES ${property} "${value}")
endforeach()
if(PERFTOP_FUZZ) # what is compared is not traced: that makes everything twice as slow
	target_compile_options(perftop_compile INTERFACE -fsanitize-coverage=inline-8bit-counters,pc-table)
endif()
if(PERFTOP_SANITIZE)
	target_compile_definitions(perftop_compile INTERFACE PERFTOP_SANITIZED)
	target_compile_options(perftop_compile INTERFACE
		-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
	target_link_options(perftop_compile INTERFACE -fsanitize=address,undefined)
	add_library(perftop_leak_check STATIC ${PROJECT_SOURCE_DIR}/tests/leak_check.c)
	target_link_libraries(perftop_leak_check PRIVATE perftop_plain)
	target_link_libraries(perftop_compile INTERFACE perftop_leak_check)
elseif(CMAKE_BUILD_TYPE MATCHES "^Rel")
	target_compile_options(perftop_compile INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()

# What is called for each record is small and lies in many rooms, so the released program is
# optimized as a whole. Objects are of both kinds: tests are linked of the ordinary code, since
# system calls could not be faked otherwise.
set(perftop_whole_program FALSE)
if(PERFTOP_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE MATCHES "^Rel" AND NOT PERFTOP_SANITIZE)
	set(perftop_whole_program TRUE)
	target_compile_options(perftop_compile INTERFACE -flto=auto -ffat-lto-objects)
endif()

# perftop_door(DOOR FOLDER [header...]): makes ROOM/*.h of FOLDER reachable through DOOR;
# with headers named, only these.
function(perftop_door door room folder)
	set(place ${CMAKE_BINARY_DIR}/doors/${door})
	file(MAKE_DIRECTORY ${place})
	if(ARGN)
		file(MAKE_DIRECTORY ${place}/${room})
		foreach(header ${ARGN})
			file(CREATE_LINK ${folder}/${header} ${place}/${room}/${header} SYMBOLIC)
		endforeach()
	else()
		file(CREATE_LINK ${folder} ${place}/${room} SYMBOLIC)
	endif()
endfunction()

# perftop_room(NAME [SOURCES file...] KNOWS room... LINKS library...); no SOURCES: all in the folder
function(perftop_room name)
	cmake_parse_arguments(ROOM "" "" "SOURCES;KNOWS;LINKS" ${ARGN})
	if(NOT ROOM_SOURCES)
		file(GLOB ROOM_SOURCES CONFIGURE_DEPENDS *.c)
	endif()
	perftop_door(${name} ${name} ${CMAKE_CURRENT_SOURCE_DIR})
	add_library(perftop_${name} STATIC ${ROOM_SOURCES})
	target_include_directories(perftop_${name} PUBLIC ${CMAKE_BINARY_DIR}/doors/${name})
	target_link_libraries(perftop_${name} PRIVATE perftop_compile ${ROOM_LINKS})
	foreach(room ${ROOM_KNOWS})
		target_link_libraries(perftop_${name} PRIVATE perftop_${room})
	endforeach()
endfunction()
