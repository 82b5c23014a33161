#!/bin/bash
# cycles.sh BUILD: which files call each other in a circle, by the symbols of the objects. None may do so across
# folders of src and ui, and inside one folder at most four files: more than that cannot be read one by one.
set -u
cd "$1" || exit 1
most=4
objects=$(find src ui -name '*.c.o' | sort)
[ -n "$objects" ] || { echo "FAILED: no objects"; exit 1; }
# FILE SYMBOL for what is defined and for what is used; the room's name is its folder's.
symbols() { # shellcheck disable=SC2086
	nm -A "$@" $objects 2>/dev/null | sed -E 's|^([^:]*)/CMakeFiles/[^/]*\.dir/([^:]*)\.c\.o:.* ([A-Za-z_0-9.]+)$|\1/\2 \3|'
}
awk -v most=$most '
	NR == FNR { where[$2] = $1; next }
	($2 in where) && where[$2] != $1 {
		reach[$1, where[$2]] = 1
		if (!($1 in is_file)) { is_file[$1]; files[++count] = $1 }
		if (!(where[$2] in is_file)) { is_file[where[$2]]; files[++count] = where[$2] }
	}
	# everything that a file reaches, by depth first
	function walk(start, file,    i) {
		for (i = 1; i <= next_count[file]; i++)
			if (!((start, to[file, i]) in reached)) { reached[start, to[file, i]]; walk(start, to[file, i]) }
	}
	function folder(file) { sub("/[^/]*$", "", file); return file }
	END {
		if (count < 50) { print "FAILED: only " count + 0 " files call each other: the symbols were not read"; exit 1 }
		for (pair in reach) { split(pair, p, SUBSEP); to[p[1], ++next_count[p[1]]] = p[2] }
		for (i = 1; i <= count; i++) walk(files[i], files[i])
		for (i = 1; i <= count; i++) {
			if ((files[i] in in_circle) || !((files[i], files[i]) in reached)) continue
			members = files[i]; size = 1; crosses = 0; in_circle[files[i]]
			for (j = i + 1; j <= count; j++)
				if (((files[i], files[j]) in reached) && ((files[j], files[i]) in reached)) {
					in_circle[files[j]]; members = members " " files[j]; size++
					crosses = crosses || folder(files[j]) != folder(files[i])
				}
			if (size > most || crosses) { print "FAILED: a circle of " size " files: " members; failed = 1 }
			else print "a circle of " size ": " members
		}
		exit failed
	}' <(symbols --defined-only --extern-only) <(symbols --undefined-only)
