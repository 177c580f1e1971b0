import { expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { bodyTemperatureRecords } from './biosensing.js';

it('reads a recording with hundreds of thousands of temperatures', () => {
  const samples = Array.from({ length: 300_000 }, (_, n) => ({
    temperature_celsius: 34.1,
    recording_time_delta_milliseconds: n * 1_000,
  }));
  const period = { measurement_type: 'TM_SKIN_TEMPERATURE', start_time: '2026-05-04T00:00:00', samples };
  const records = bodyTemperatureRecords([period], new Tally('bodytemperature'));
  expect(records).toHaveLength(samples.length + 1);
  expect(records[0]).toMatchObject({ kind: 'replacement', endMs: Date.parse('2026-05-08T11:19:59Z') });
});
