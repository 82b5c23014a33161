#!/bin/bash
# shells.sh PERFTOP COMPLETIONS: Tab in bash, zsh and fish themselves. COMPLETIONS is the folder of
# completion.bash, completion.zsh and completion.fish.
#
# Needs zsh and fish (Debian: zsh fish); not run otherwise.
. "$(dirname "$0")/lib.sh"
needs zsh fish
folder=$(dirname "$PERFTOP")
mkdir -p "$scratch/zsh" "$scratch/.config/fish/completions" "$scratch/files"
touch "$scratch/files/one.data"
cp "$TOOLS/completion.zsh" "$scratch/zsh/_perftop"
cp "$TOOLS/completion.fish" "$scratch/.config/fish/completions/perftop.fish"
cat >"$scratch/bashrc" <<RC
PS1='ready> ' PATH=$folder:$PATH
. $TOOLS/completion.bash
cd $scratch/files
RC
cat >"$scratch/.zshrc" <<RC
PS1='ready> ' PATH=$folder:$PATH
fpath=($scratch/zsh \$fpath)
autoload -U compinit
compinit -u -D
cd $scratch/files
RC
cat >"$scratch/.config/fish/config.fish" <<RC
set -gx PATH $folder \$PATH
function fish_prompt; echo -n 'ready> '; end
set -g fish_greeting
cd $scratch/files
RC

# completes TYPED WANTED: what stands in the line after Tab
completes() {
	local tries=0
	press C-u C-l
	until screen | grep -v '^ *$' | grep -qxE 'ready> *'; do
		[ $((++tries)) -le 400 ] || { fail "no empty line in $shell"; return; }
		sleep 0.2
		press C-u C-l
	done
	press -l "perftop $1"
	press Tab
	wait_for "^ready> perftop $2" || echo "in $shell"
}
for shell in "bash --rcfile $scratch/bashrc -i" "env ZDOTDIR=$scratch zsh -i" \
	"env HOME=$scratch XDG_CONFIG_HOME=$scratch/.config fish -i"; do
	terminal_open 100 30 "$shell"
	wait_for '^ready>'
	completes '--form' '--format'
	completes '--theme hi' '--theme high-contrast'
	completes '--group-by cont' '--group-by container'
	completes '--format=op' '--format=openmetrics'
	completes '-b -V sw' '-b -V switches'
	completes '--sort=-attr' '--sort=-attr\\?%'
	completes '-s -att' '-s -attr\\?%'
	completes '--sort -slice-m' '--sort -slice-max'
	completes '-s cpu%,-mpk' '-s cpu%,-mpki'
	completes '-c topd' '-c topdown'
	completes '-c pid,mpk' '-c pid,mpki'
	completes '-e cycles,page-f' '-e cycles,page-faults'
	completes '-u nob' '-u nobody'
	completes '-i on' '-i one.data'
	completes 'chec' 'check'
	completes '-- unlin' '-- unlink'
done
report
