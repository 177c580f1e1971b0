import { PROFILE_VALUES, type SampleRecord } from '@healthd/model';
import { expect, it } from 'vitest';
import { bodySamples as ouraSamples } from './oura/pull/body.js';
import { bodySamples as whoopSamples } from './whoop/pull/body.js';

it.each<[string, readonly SampleRecord[]]>([
  ['whoop', whoopSamples({ height_meter: 1.79, weight_kilogram: 74.2 }, 0)],
  ['oura', ouraSamples({ height: 1.79, weight: 74.2 }, 0)],
])('what the profile of %s gives without a time is known as such', (provider, samples) => {
  const given = samples.map(({ source, typeId }) => ({ provider: source.provider, typeId }));
  expect(given).toEqual(PROFILE_VALUES.filter((one) => one.provider === provider));
});
