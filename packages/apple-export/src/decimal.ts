const DOT = 0x2e;
const MINUS = 0x2d;
const POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;

/** Parses decimal text; NaN if it is not a number. Rounds correctly, like `Number()`. */
export function readDecimal(bytes: Buffer, start: number, end: number): number {
  let at = start;
  const negative = bytes[at] === MINUS;
  if (negative) at++;
  let mantissa = 0;
  let fraction = -1;
  const first = at;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === DOT && fraction < 0) fraction = at;
    else if (byte >= 0x30 && byte <= 0x39) mantissa = mantissa * 10 + (byte - 0x30);
    else return spelledOut(bytes, start, end);
  }
  const digits = end - first - (fraction < 0 ? 0 : 1);
  // Up to 15 digits the mantissa and the power of ten are exact, so one division rounds once.
  if (digits === 0 || digits > 15) return spelledOut(bytes, start, end);
  const value = fraction < 0 ? mantissa : mantissa / POWERS[end - fraction - 1]!;
  return negative ? -value : value;
}

function spelledOut(bytes: Buffer, start: number, end: number): number {
  if (end - start > 64) return Number.NaN;
  const text = bytes.toString('latin1', start, end).trim();
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}
