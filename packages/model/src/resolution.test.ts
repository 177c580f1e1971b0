import { expect, it } from 'vitest';
import { BUCKET_SECONDS, RESOLUTIONS } from './resolution.js';

it('every resolution except raw has buckets that divide the day', () => {
  expect(Object.keys(BUCKET_SECONDS)).toEqual(RESOLUTIONS.filter((resolution) => resolution !== 'raw'));
  expect(Object.values(BUCKET_SECONDS)).toEqual([60, 300, 900, 3600]);
});
