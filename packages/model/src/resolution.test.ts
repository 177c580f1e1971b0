import { expect, it } from 'vitest';
import { BUCKET_SECONDS, RESOLUTIONS } from './resolution.js';

it('divides the day into equal buckets, except for raw', () => {
  expect(Object.keys(BUCKET_SECONDS)).toEqual(RESOLUTIONS.filter((resolution) => resolution !== 'raw'));
  expect(Object.values(BUCKET_SECONDS)).toEqual([60, 300, 900, 3600]);
});
