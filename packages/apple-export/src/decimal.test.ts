import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDecimal } from './decimal.js';

const read = (text: string) => {
  const bytes = Buffer.from(`"${text}"`);
  return readDecimal(bytes, 1, bytes.length - 1);
};

describe('numbers of the export', () => {
  it('parses numbers exactly like the runtime', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(read(String(value))).toBe(Number(String(value)));
      }),
      { numRuns: 2000 },
    );
    for (const text of [
      '0',
      '72',
      '0.97',
      '1.5',
      '-3.25',
      '0.000123',
      '123456789012345',
      '12345678901234567890',
      '5.',
      '.5',
    ]) {
      expect(read(text)).toBe(Number(text));
    }
  });

  it.each(['', '-', '.', 'abc', '1,5', '1.2.3', '0x10', 'NaN', 'Infinity', '1e', '--1', '1 2'])(
    'rejects %j',
    (text) => {
      expect(read(text)).toBeNaN();
    },
  );
});
