import { describe, expect, it } from 'vitest';
import { median, quantile, tableLines, verdictLine } from './report.js';

const verdict = {
  what: 'import, 300 MB',
  figure: 59.96,
  digits: 1,
  unit: ' MB/s',
  bound: 'least',
  target: 60,
} as const;

describe('the benchmark report', () => {
  it('reports a missed target even if rounding hides the difference', () => {
    expect(verdictLine(verdict)).toContain('MISSED');
    expect(verdictLine({ ...verdict, figure: 60 })).toContain('met ');
    expect(verdictLine({ ...verdict, bound: 'most', figure: 61 })).toContain('MISSED');
  });

  it('computes the median, or the mean of the two middle values', () => {
    expect(median([9, 1, 2])).toBe(2);
    expect(median([4, 1])).toBe(2.5);
  });

  it('computes quantiles by the nearest rank', () => {
    const values = Array.from({ length: 200 }, (_, n) => 200 - n);
    expect([0.5, 0.95, 0.99, 1].map((share) => quantile(values, share))).toEqual([100, 190, 198, 200]);
    expect(quantile([7], 0.5)).toBe(7);
  });

  it('aligns figures on the right', () => {
    const rows = [
      ['', 'seconds'],
      ['upload', '1.2'],
    ];
    expect(tableLines({ title: 'Import', rows })).toEqual(['', 'Import', '        seconds', 'upload      1.2']);
  });
});
