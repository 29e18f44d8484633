# Compiles Judge.cs, and runs it: sh mono.sh lossy|read ENCODING.
set -eu
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mcs -out:"$folder/judge.exe" "$(dirname "$0")/Judge.cs"
mono "$folder/judge.exe" "$@"
