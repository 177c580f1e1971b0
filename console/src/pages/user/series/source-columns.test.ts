import { expect, it } from 'vitest';
import { sourceColumns } from './source-columns.js';

const rate = { rule: 'avg', unit: 'bpm', isCut: false } as const;
const steps = { rule: 'sum', unit: 'count', resolution: '1hour' } as const;

it('labels the count and the extremes of recorded samples', () => {
  expect(sourceColumns({ ...rate, resolution: 'raw' })).toEqual({
    count: 'Values',
    lowest: 'Lowest bpm',
    highest: 'Highest bpm',
    hasSum: false,
  });
});

it('labels the columns of buckets by their aggregates', () => {
  const { count, lowest, highest } = sourceColumns({ ...rate, resolution: '5min' });
  expect([count, lowest, highest]).toEqual(['Points', 'Lowest average bpm', 'Highest average bpm']);
  expect(sourceColumns({ ...steps, isCut: false }).highest).toBe('Highest sum count');
});

it('shows a sum only if the series is complete', () => {
  expect(sourceColumns({ ...steps, isCut: false }).hasSum).toBe(true);
  expect(sourceColumns({ ...steps, isCut: true }).hasSum).toBe(false);
});
