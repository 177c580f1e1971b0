import { expect, it } from 'vitest';
import { sourceColumns } from './source-columns.js';

const rate = { rule: 'avg', unit: 'bpm', isCut: false } as const;
const steps = { rule: 'sum', unit: 'count', resolution: '1hour' } as const;

it('the extremes of samples as recorded are called lowest and highest, and their number is that of the values', () => {
  expect(sourceColumns({ ...rate, resolution: 'raw' })).toEqual({
    count: 'Values',
    lowest: 'Lowest bpm',
    highest: 'Highest bpm',
    hasSum: false,
  });
});

it('the extremes of buckets are called those of averages, sums or maxima, and buckets are not counted as values', () => {
  const { count, lowest, highest } = sourceColumns({ ...rate, resolution: '5min' });
  expect([count, lowest, highest]).toEqual(['Points', 'Lowest average bpm', 'Highest average bpm']);
  expect(sourceColumns({ ...steps, isCut: false }).highest).toBe('Highest sum count');
});

it('a sum is shown of amounts only, and not where the read was cut', () => {
  expect(sourceColumns({ ...steps, isCut: false }).hasSum).toBe(true);
  expect(sourceColumns({ ...steps, isCut: true }).hasSum).toBe(false);
});
