#!/usr/bin/env bash
# Builds the source distribution, from it a wheel, repairs the wheel for other Linux machines, installs it into a
# fresh environment that has no compiler, and uses it. Usage: tests/wheel.sh PYTHON
set -eu
cd "$(dirname "$0")/.."
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
place=$PWD/build/wheel
rm -rf "$place"
"$python" -m build --outdir "$place" .
PATH="$(dirname "$python"):$PATH" "$python" -m auditwheel repair --wheel-dir "$place/repaired" "$place"/*.whl
"$python" -m venv "$place/env"
mkdir "$place/empty"
# With an empty PATH there is no compiler: what is installed is the wheel, or nothing.
PATH="$place/empty" "$place/env/bin/python" -m pip install -q --disable-pip-version-check --only-binary :all: "$place"/repaired/*.whl
cd "$place/empty"
PATH="$place/empty" "$place/env/bin/python" ../../../tests/wheel_check.py ../../../examples/alarm.csv
PATH="$place/empty" "$place/env/bin/bayesloom" learn ../../../examples/alarm.csv -o net.bif --plot net.svg
ls -l "$place" "$place/repaired"
