import { describe, expect, it } from 'vitest';
import { parseCount, parseSize, sizeText } from './sizes.js';

describe('sizes in benchmark options', () => {
  it('use powers of ten as units', () => {
    expect(parseSize('300MB')).toBe(300_000_000);
    expect(parseSize('2GB')).toBe(2_000_000_000);
    expect(parseSize('1.5 gb')).toBe(1_500_000_000);
  });

  it('are rejected without a number or a unit', () => {
    expect(parseSize('300')).toBeUndefined();
    expect(parseSize('MB')).toBeUndefined();
  });

  it('are formatted with at most three digits and a unit', () => {
    expect(sizeText(300_000_000)).toBe('300 MB');
    expect(sizeText(1_998_400_000)).toBe('2 GB');
  });

  it('accept abbreviated numbers of samples', () => {
    expect(parseCount('10M')).toBe(10_000_000);
    expect(parseCount('250k')).toBe(250_000);
    expect(parseCount('1200')).toBe(1200);
    for (const text of ['0', '', '10MB', '-1M', 'many']) expect(parseCount(text)).toBeUndefined();
  });
});
