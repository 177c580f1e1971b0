import { expect, it } from 'vitest';
import { BUCKET_SECONDS, RESOLUTIONS } from './resolution.js';

it('defines a bucket length for every resolution except raw', () => {
  expect(Object.keys(BUCKET_SECONDS)).toEqual(RESOLUTIONS.filter((resolution) => resolution !== 'raw'));
  expect(Object.values(BUCKET_SECONDS)).toEqual([60, 300, 900, 3600]);
});
