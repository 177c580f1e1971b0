import { expect, it } from 'vitest';
import { displayName } from './data-sources.js';

it.each([
  ['apple', 'Watch6,2', 'Some Watch', 'Apple - Watch6,2'],
  ['apple', null, 'Zepp Life', 'Apple - Zepp Life'],
  ['whoop', null, null, 'Whoop'],
])('%s with model %s and writer %s is shown as a name', (provider, device_model, original_source_name, shown) => {
  expect(displayName({ provider, device_model, original_source_name })).toBe(shown);
});
