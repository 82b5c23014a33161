# A library whose functions, lines and inlined code are known; the same without its symbols, which are in a file beside it;
# without them at all; and without the index of addresses that LLVM's compilers do not make.
add_library(symbol_sample SHARED symbol_sample.c)
target_compile_options(symbol_sample PRIVATE -g -O2)
set(sample $<TARGET_FILE:symbol_sample>)
set(stripped ${CMAKE_CURRENT_BINARY_DIR}/libsymbol_stripped.so)
set(bare ${CMAKE_CURRENT_BINARY_DIR}/libsymbol_bare.so)
set(unindexed ${CMAKE_CURRENT_BINARY_DIR}/libsymbol_unindexed.so)
add_custom_command(TARGET symbol_sample POST_BUILD
	COMMAND ${CMAKE_OBJCOPY} --only-keep-debug ${sample} ${stripped}.debug
	COMMAND ${CMAKE_OBJCOPY} --strip-all --remove-section=.note.gnu.build-id ${sample} ${bare}
	COMMAND ${CMAKE_OBJCOPY} --add-gnu-debuglink=libsymbol_stripped.so.debug ${bare} ${stripped}
	COMMAND ${CMAKE_OBJCOPY} --remove-section=.debug_aranges ${sample} ${unindexed}
	WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
	VERBATIM)

perftop_test(function_table ROOMS symbol kernel base)
perftop_test(text_symbols ROOMS symbol kernel base)
perftop_test(jit_map ROOMS symbol kernel base)
perftop_test(demangle ROOMS symbol kernel base)
perftop_test(disassemble ROOMS symbol kernel base)
perftop_test(opener LIVE ROOMS symbol kernel base)
perftop_test(symbol_ids ROOMS symbol kernel base)
perftop_test(symbol_mappings ROOMS symbol kernel base)
perftop_test(symbol_wire ROOMS symbol kernel base)
foreach(name symbol_listing store)
	perftop_test(${name} ALONE ROOMS symbol kernel base LINKS ${CMAKE_DL_LIBS})
	target_compile_definitions(test_${name} PRIVATE SAMPLE="${sample}" SAMPLE_BARE="${bare}")
	add_dependencies(test_${name} symbol_sample)
endforeach()
foreach(name symbols symbols_hostile)
	perftop_test(${name} LIVE ALONE ROOMS symbol kernel base LINKS ${CMAKE_DL_LIBS})
	target_compile_definitions(test_${name} PRIVATE
		SAMPLE="${sample}" SAMPLE_STRIPPED="${stripped}" SAMPLE_BARE="${bare}" SAMPLE_UNINDEXED="${unindexed}"
		PERFTOP="$<TARGET_FILE:perftop>")
	add_dependencies(test_${name} symbol_sample perftop)
endforeach()
