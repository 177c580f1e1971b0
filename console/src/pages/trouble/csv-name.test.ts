import { expect, it } from 'vitest';
import { csvNameOf } from './csv-name.js';

it('the CSV of a group says in its name when it holds only the newest people', () => {
  expect(csvNameOf('vendor_failing', { items: Array(500).fill({}), total: 1_234 })).toBe(
    'vendor_failing-newest-500-of-1234',
  );
  expect(csvNameOf('vendor_failing', { items: [{}, {}], total: 2 })).toBe('vendor_failing');
  expect(csvNameOf('vendor_failing', undefined)).toBe('vendor_failing');
});
