#!/bin/bash
# doors.sh SOURCE BUILD: which room may know which, said in words and proved.
#
# A room reaches another one's headers as "room/file.h" and only if it declares to know it. This
# looks for includes that go around the doors, and tries each forbidden door with the very flags
# the room is compiled with: it must not compile.
set -u
source=$(realpath "$1")
build=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$source" || exit 1
failures=0
fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# who        whom it may know, besides itself      and what it is kept from
rooms='
base         -                                     knows nobody
kernel       base                                  with event and the attributes of perfdata the only one with <linux/perf_event.h>
event        symbol kernel base                    of symbol only the disassembler; the only one with libpfm4
symbol       kernel base                           the only one with libdw, libiberty, capstone
model        base                                  pure: no system call, no clock
source       event kernel base model:records       of the model only records, counts, layout and session
perfdata     source event kernel base model:records     as source, which does not know it
view         model base                            no terminal, no kernel
batch        view model base                       no terminal, no kernel
session      batch view symbol perfdata source model event kernel base   no terminal
playback     session view perfdata source model kernel base  no terminal
term         base                                  the only one with <curses.h>, in term.c
widget       term view base                        no model, no kernel
mode         playback session widget term batch view perfdata source model event kernel base  no terminal but by term
'
all='base kernel event symbol model source perfdata view batch session playback term widget mode'

# Doors inside a room: what a folder of it may know of the room, besides itself. The room's own name
# is what stands at its root.
inner='
source            -
source/plan       source
source/cpus       source source/plan
source/tasks      source source/plan
'

folder() { case $1 in term | widget | mode) echo "ui/$1" ;; *) echo "src/$1" ;; esac; }
files() { find "$(folder "$1")" -name '*.[ch]' | sort; }
# The program: what is in src and ui themselves.
program_headers=$( (cd src && echo *.h) | tr ' \n' '||' | sed 's/|$//')
program_files() { find src ui -maxdepth 1 -name '*.[ch]'; }
# Words in comments and strings do not count: only lines that are includes.
includes() { grep -HnE '^[[:space:]]*#[[:space:]]*include' "$@"; }
forbid() { # WHY PATTERN FILE...
	local why=$1 pattern=$2 found
	shift 2
	found=$(includes "$@" | grep -E "$pattern") && fail "$why:
$found"
}

allowed() { # ROOM: the rooms it may know, in words of the table
	awk -v room="$1" '$1 == room { for (i = 2; i <= NF; i++) { split($i, part, ":");
		if (index(" base kernel event symbol model source perfdata view batch session playback term widget mode - ", " " part[1] " ") == 0) break; print $i } }' <<<"$rooms"
}

# --- what the files say
# shellcheck disable=SC2046
everything=$(for room in $all; do files "$room"; done; program_files)
# shellcheck disable=SC2086
{
	forbid 'no way around the doors: "../" in an include' '"[^"]*\.\./' $everything
	forbid 'nobody includes a .c file' '\.c["<>]' $everything
	kernel_free=$(for file in $everything; do case $file in src/kernel/* | src/event/* | src/perfdata/header.c | src/perfdata/features.*) ;; *) echo "$file" ;; esac; done)
	forbid '<linux/perf_event.h> belongs to src/kernel, src/event and the attributes of src/perfdata' '<linux/perf_event\.h>' $kernel_free
	event_free=$(for file in $everything; do case $file in src/event/*) ;; *) echo "$file" ;; esac; done)
	forbid 'libpfm4 belongs to src/event' '<perfmon/' $event_free
	symbol_free=$(for file in $everything; do case $file in src/symbol/*) ;; *) echo "$file" ;; esac; done)
	forbid 'libdw, libiberty and capstone belong to src/symbol' '<(elfutils/|dwarf\.h|libiberty/|capstone/)' $symbol_free
	curses_free=$(for file in $everything; do [ "$file" = ui/term/term.c ] || echo "$file"; done)
	forbid 'curses belongs to ui/term/term.c' '<(n?curses(w/|/)?[^>]*|term)\.?h?>' $curses_free
	# <sys/queue.h> is lists
	forbid 'src/model is pure: no system call, no clock' \
		'<(unistd|time|sys/([a-pr-z]|qu[^e])[a-z_]*|fcntl|pthread|signal|poll|sched|dirent|errno|linux/[a-z_]*)(\.h)?>' \
		$(files model)
	found=$(grep -HnE '\b(clock_gettime|gettimeofday|time|open|read|syscall|getpid)\(' $(files model) |
		grep -vE ':[[:space:]]*(/?\*|//)') && fail "src/model calls the system:
$found"
	found=$(grep -HnE '\bexit\(' $(for room in $all; do [ $room = base ] || files $room; done) |
		grep -vE '_exit\(|:[[:space:]]*(/?\*|//)') && fail "only main may exit:
$found"
	forbid 'no header of a room includes curses' 'curses' $(find src ui -name '*.h')
}
for room in $all; do
	known=$(allowed "$room" | cut -d: -f1)
	others=$(tr ' ' '\n' <<<"$all" | grep -vxF -e "$room" ${known:+-e "$known"} | paste -sd '|')
	# shellcheck disable=SC2046
	forbid "$room may not know them" "\"($others)/" $(files "$room")
	# shellcheck disable=SC2046
	forbid "$room is below the program and does not know it" \
		"\"($program_headers)\"" $(files "$room")
done
inner_folders=$(awk 'NF { print $1 }' <<<"$inner")
for folder in $inner_folders; do
	doors=$(awk -v folder="$folder" '$1 == folder' <<<"$inner" | tr -s ' ' '|')
	found=$(includes "src/$folder"/*.[ch] | grep "\"${folder%%/*}/" | grep -vE "\"($doors)/[a-z_]*\.h\"") &&
		fail "src/$folder reaches around its doors in the room:
$found"
done
for folder in $(find src/{base,kernel,event,symbol,model,source,perfdata,view,batch} -mindepth 1 -type d); do
	grep -qx "${folder#src/}" <<<"$inner_folders" || fail "$folder has no doors"
done
for room in source perfdata; do
	# shellcheck disable=SC2046
	found=$(includes $(files $room) | grep '"model/' |
		grep -vE '"model/(record|counts|layout|session)\.h"') &&
		fail "src/$room knows the model by its records only:
$found"
done

# --- what the compiler says
# The flags of a room: those of any of its files.
flags() {
	grep -h "\"command\".*/$(folder "$1")/[a-z_]*\.c\"" "$build/compile_commands.json" | head -n 1 |
		sed -e 's/^ *"command": "//' -e 's/",\{0,1\}$//' -e 's/\\"/"/g' -e 's/ -o .*//'
}
# One that includes none of another room.
declare -A header_of
for room in $all; do
	header_of[$room]=$room/$(basename "$(files "$room" | grep '\.h$' | xargs grep -L '^#include "' | head -n 1)")
done
# What is in the compiler's reach it says by an error: it reads one file for each room.
doors_of() { # ROOM
	local other header known
	known=" $1 "$(allowed "$1" | tr '\n' ' ')
	printf '#include <stdint.h>\n'
	for other in $all; do
		header=${header_of[$other]}
		if [[ $known = *" $other "* ]]; then
			printf '#include "%s"\n' "$header"
		elif [[ $known != *" $other:"* ]]; then
			printf '#if __has_include("%s")\n#error can include %s\n#endif\n' "$header" "$header"
		fi
	done
	case $1 in source | perfdata)
		printf '#include "model/%s.h"\n' record counts layout session
		for header in model metric snapshot formula; do
			printf '#if __has_include("model/%s.h")\n#error can include model/%s.h\n#endif\n' $header $header
		done
		;;
	esac
	printf 'int doors_try;\nint doors_try = 1;\n'
}

tried=0
for room in $all; do
	[ -n "$(flags "$room")" ] || { fail "$room: no flags in compile_commands.json"; continue; }
	doors_of "$room" >"$scratch/try.c"
	(cd "$build" && sh -c "$(flags "$room") -fsyntax-only '$scratch/try.c'") >"$scratch/said" 2>&1 ||
		fail "$room:
$(grep -E 'error' "$scratch/said")"
	tried=$((tried + $(grep -cE '^#(include "|if )' "$scratch/try.c")))
done

[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
echo "$tried doors tried"
