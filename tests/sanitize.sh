#!/usr/bin/env bash
# Builds the native module with the address and undefined-behaviour sanitizers, away from the normal build,
# and runs the tests that use it. Usage: tests/sanitize.sh PYTHON [pytest arguments]
set -eu
cd "$(dirname "$0")/.."
python=$1
shift
place=build/sanitize
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

rm -rf "$place/site"
"$python" -m pip install -q --disable-pip-version-check --no-deps --target "$place/site" \
    -Cbuild-dir="$place/cmake" -Cinstall.strip=false -Ccmake.define.BAYESLOOM_SANITIZE=ON .

# The sanitizers must be there before the interpreter, and libstdc++ before they look for its symbols.
preload="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)"
# Leaks are not looked for: the interpreter and its modules keep what they have until the end of the process.
# Memory that is not there is a MemoryError, as without sanitizers: Dask asks for it where no scheduler answers.
# Finds go to files: pytest would keep what is written to standard error, and end with the process.
report=$PWD/$place/found
asan=detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:log_path=$report
run() {
    env LD_PRELOAD="$preload" ASAN_OPTIONS="$asan" UBSAN_OPTIONS="print_stacktrace=1:log_path=$report" \
        PYTHONPATH="$place/site:$PWD/reproduction:$site" "$python" -S "$@"
}
finish() {
    status=$?
    for found in "$report".*; do
        grep -qsE 'ERROR: |runtime error' "$found" || continue # warnings are no finds
        cat "$found" >&2
        status=1
    done
    [ $status = 0 ] || echo "tests/sanitize.sh: not clean" >&2
    exit $status
}
rm -f "$report".*
trap finish EXIT
# -S: an editable installation would otherwise be found before the sanitized module.
run -c 'import sys; from bayesloom import _native; print(_native.__file__); sys.exit("sanitize" not in _native.__file__)'
native="averaging classification data_layer engine graphs incomplete independence inference learning model scores search"
# shellcheck disable=SC2086
run -m pytest $(printf 'tests/%s ' $native) -p no:cacheprovider -p no:xdist "$@"
run tests/fuzz/fuzz_native.py --count 20000 --seed 7
run tests/fuzz/fuzz_native_models.py --count 20000 --seed 7
run tests/fuzz/fuzz_csv.py --count 20000 --seed 7
