/* Names of C++ and Rust. */
#include "base/strbuf.h"

#include "symbol/demangle.h"
#include "unit.h"

static struct strbuf text;

static int tear_down(void **state)
{
	strbuf_fini(&text);
	return 0;
}

static const char *name_of(const char *name)
{
	strbuf_clear(&text);
	demangle(&text, name);
	return strbuf_text(&text);
}

UNIT_TEST(demangle_gives_what_programmers_wrote)
{
	static const struct {
		const char *linker, *programmer;
	} cases[] = {
		{"main", "main"},
		{"_start", "_start"},
		{"_ZN4shop6Basket3addERKiPKc", "shop::Basket::add(int const&, char const*)"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi",
		 "std::vector<int, std::allocator<int> >::push_back(int const&)"},
		{"_RNvCs15kBYyAo9fc_7mycrate7example", "mycrate::example"},
		{"_ZN4core3fmt5Write9write_str17h0123456789abcdefE", "core::fmt::Write::write_str"},
		{"memcpy@@GLIBC_2.14", "memcpy"},
		{"memcpy@plt", "memcpy@plt"},
		{"_Z3foov@plt", "foo()@plt"},
		{"_Zhello", "_Zhello"},
		{"_Rhello", "_Rhello"},
		{"_Z", "_Z"},
		{"", ""},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(name_of(cases[i].linker), cases[i].programmer);
}

UNIT_TEST(demangle_appends)
{
	strbuf_add(&text, "in ");
	demangle(&text, "_Z3foov");
	assert_string_equal(text.text, "in foo()");
}

/* The parameters of a function: each is a pair of two of the one before. */
UNIT_TEST(demangle_stops_where_a_short_name_means_gigabytes)
{
	char name[512] = "_Z1f1ASt4pairIS_S_E";

	for (const char *last = "123456789ABCDEFGHIJKLMNOPQRSTUVW"; *last != '\0'; last++) {
		size_t length = strlen(name);

		snprintf(name + length, sizeof(name) - length, "S0_IS%c_S%c_E", *last, *last);
		if (*last == '1')
			assert_string_equal(name_of(name),
					    "f(A, std::pair<A, A>, std::pair<std::pair<A, A>, "
					    "std::pair<A, A> >)");
	}

	size_t length = strlen(name_of(name));

	assert_true(length > 1 << 14);
	assert_true(length < 1 << 15);
}

UNIT_TEST(demangle_of_a_name_that_is_too_long_leaves_it)
{
	char *name = malloc(100000);

	memset(name, 'Z', 99999);
	name[0] = '_';
	name[99999] = '\0';
	assert_int_equal(strlen(name_of(name)), 99999);
	free(name);
}

UNIT_MAIN(NULL, tear_down)
