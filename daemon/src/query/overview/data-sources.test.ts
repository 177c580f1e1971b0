import { expect, it } from 'vitest';
import { displayName } from './data-sources.js';

it.each([
  ['apple', 'Watch6,2', 'Some Watch', 'Apple - Watch6,2'],
  ['apple', null, 'Zepp Life', 'Apple - Zepp Life'],
  ['whoop', null, null, 'Whoop'],
])('names a source of %s with model %s and writer %s: %s', (provider, device_model, original_source_name, shown) => {
  expect(displayName({ provider, device_model, original_source_name })).toBe(shown);
});
