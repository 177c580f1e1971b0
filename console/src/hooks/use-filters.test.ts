import { expect, test } from 'vitest';
import { changedFilters } from './use-filters.js';

test('changes exactly the passed filters', () => {
  const filters = new URLSearchParams('search=a&provider=whoop&page=3');
  const changed = (change: Parameters<typeof changedFilters>[1]) => changedFilters(filters, change).toString();
  expect(changed({ search: 'b', page: undefined })).toBe('provider=whoop&search=b');
  expect(changed({ provider: ['oura', 'whoop'] })).toBe('search=a&page=3&provider=oura&provider=whoop');
  expect(changed({ search: '', provider: [] })).toBe('page=3');
  expect(filters.toString()).toBe('search=a&provider=whoop&page=3');
});
