#!/usr/bin/env bash
# Unpacks CPython 3.MINOR of Debian's unstable release into FOLDER, with the C library and the other
# libraries that it needs, so that it runs there: debian_python.sh MINOR FOLDER PATCHELF. Nothing is
# installed. Its packages have no pip.
set -euo pipefail

version=3.$1 patchelf=$3
mkdir -p "$2"/{lists/partial,cache/archives/partial,packages}
cd "$2"

# The machine's own source of packages, with another suite.
sed '/^$/Q; s/^Suites: .*/Suites: sid/' /etc/apt/sources.list.d/debian.sources >sid.sources
options=(-qq -o Dir::Etc::sourcelist="$PWD/sid.sources" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::State::lists="$PWD/lists" -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User=root)
timeout 300 apt-get update "${options[@]}"
(
    cd packages
    timeout 300 apt-get download "${options[@]}" "libpython$version-minimal" "libpython$version-stdlib" "python$version-minimal" \
        libc6 libexpat1 zlib1g libssl3t64 libffi8 libbz2-1.0 liblzma5 libsqlite3-0 libzstd1
)
for package in packages/*.deb; do dpkg-deb --extract "$package" .; done

# The libraries of the modules are looked for in the path of the program, too.
"$patchelf" --set-interpreter "$PWD/usr/lib64/ld-linux-x86-64.so.2" \
    --force-rpath --set-rpath "$PWD/usr/lib/x86_64-linux-gnu" "usr/bin/python$version"
"usr/bin/python$version" -c 'import ctypes, ssl, sqlite3, zlib'
