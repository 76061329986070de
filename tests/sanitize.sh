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
    -Cbuild-dir="$place/cmake" -Ccmake.define.BAYESLOOM_SANITIZE=ON .

# The sanitizers must be there before the interpreter, and libstdc++ before they look for its symbols.
preload="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)"
# Leaks are not looked for: the interpreter and its modules keep what they have until the end of the process.
run() {
    env LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 \
        UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH="$place/site:$PWD/reproduction:$site" "$python" -S "$@"
}
# -S: an editable installation would otherwise be found before the sanitized module.
run -c 'import sys; from bayesloom import _native; print(_native.__file__); sys.exit("sanitize" not in _native.__file__)'
folders="tests/engine tests/scores tests/independence tests/graphs tests/data_layer/test_native_csv.py tests/search/dag tests/search/equivalence tests/search/exact tests/search/imap tests/search/test_local_scores.py tests/search/test_stop.py tests/classification"
[ -d tests/inference ] && folders="$folders tests/inference"
# shellcheck disable=SC2086
run -m pytest $folders -p no:cacheprovider -p no:xdist "$@"
run tests/fuzz/fuzz_native.py --count 20000 --seed 7
run tests/fuzz/fuzz_csv.py --count 20000 --seed 7
