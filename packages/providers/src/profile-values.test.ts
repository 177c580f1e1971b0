import { PROFILE_VALUES, type SampleRecord } from '@healthd/model';
import { expect, it } from 'vitest';
import { Tally } from './cloud/index.js';
import { bodySamples as ouraSamples } from './oura/pull/body.js';
import { physicalSamples } from './polar/pull/physical-info.js';
import { bodySamples as whoopSamples } from './whoop/pull/body.js';

it.each<[string, readonly SampleRecord[]]>([
  ['whoop', whoopSamples({ height_meter: 1.79, weight_kilogram: 74.2 }, 0, new Tally('body'))],
  ['oura', ouraSamples({ height: 1.79, weight: 74.2 }, 0, new Tally('personal_info'))],
  [
    'polar',
    physicalSamples({ weight: 74.2, height: 179, resting_heart_rate: 49, vo2_max: 47 }, 0, new Tally('physical-info')),
  ],
])('lists exactly the undated profile values of %s', (provider, samples) => {
  const known = PROFILE_VALUES.filter((one) => one.provider === provider);
  const given = samples.map(({ source, typeId }) => ({ provider: source.provider, typeId, writer: source.writer }));
  expect(given).toEqual(known.map((one) => ({ ...one, writer: one.writer ?? samples[0]?.source.writer })));
});

it('does not treat Polar values with a change time as profile values', () => {
  const response = { weight: 74.2, modified: '2026-05-01T05:00:00Z' };
  const samples = physicalSamples(response, Date.parse('2026-05-02'), new Tally('physical-info'));
  expect(samples).toMatchObject([{ startMs: Date.parse('2026-05-01T05:00:00Z') }]);
  const writers = PROFILE_VALUES.filter(({ provider }) => provider === 'polar').map(({ writer }) => writer);
  expect(writers).not.toContain(samples[0]?.source.writer);
});
