// Numbers as people read them.

export function count(number) {
  return Number(number).toLocaleString("en-US");
}

export function counted(number, word) {
  return `${count(number)} ${word}${number === 1 ? "" : "s"}`;
}

export function percent(share) {
  if (share > 0 && share < 0.0005) return "<0.1 %";
  if (share < 1 && share > 0.9995) return ">99.9 %";
  return `${(100 * share).toFixed(1)} %`;
}

export function short(number, digits = 4) {
  if (number === null || number === undefined) return "";
  if (Number.isInteger(number) && Math.abs(number) < 1e9) return count(number);
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-3 || size >= 1e9)) return number.toExponential(2);
  if (size >= 1000) return number.toLocaleString("en-US", { maximumFractionDigits: 1 });
  return String(Number(number.toPrecision(digits)));
}

// A p-value from its logarithm, also where it is too small for a float.
export function pValue(logP) {
  if (logP === null || logP === undefined) return "";
  const p = Math.exp(logP);
  if (p >= 1e-4) return String(Number(p.toPrecision(3)));
  const tens = logP / Math.LN10;
  let power = Math.floor(tens);
  let digits = (10 ** (tens - power)).toFixed(1);
  if (digits === "10.0") [digits, power] = ["1.0", power + 1];
  return `${digits}e${power}`;
}

export function dependencies(number) {
  return number === 1 ? "1 dependency" : `${count(number)} dependencies`;
}
