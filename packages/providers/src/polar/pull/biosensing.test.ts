import { expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { bodyTemperatureRecords, SPO2_TEST, testRecords } from './biosensing.js';

it('reads a recording with hundreds of thousands of temperatures', async () => {
  const samples = Array.from({ length: 300_000 }, (_, n) => ({
    temperature_celsius: 34.1,
    recording_time_delta_milliseconds: n * 1_000,
  }));
  const period = { measurement_type: 'TM_SKIN_TEMPERATURE', start_time: '2026-05-04T00:00:00', samples };
  const records = await bodyTemperatureRecords([period], new Tally('bodytemperature'));
  expect(records).toHaveLength(samples.length + 1);
  expect(records[0]).toMatchObject({ kind: 'replacement', endMs: Date.parse('2026-05-08T11:19:59Z') });
});

it('deletes no stored values for a test with an unreadable value', () => {
  const passed = { test_time: 1_777_000_000, time_zone_offset: 0, test_status: 'SPO2_TEST_PASSED' };
  const kindsOf = (test: object) => testRecords(SPO2_TEST, [test], new Tally('spo2')).map(({ kind }) => kind);
  expect(kindsOf({ ...passed, blood_oxygen_percent: 97 })).toEqual(['replacement', 'sample']);
  expect(kindsOf({ ...passed, blood_oxygen_percent: 'high', heart_rate_variability_ms: 48 })).toEqual(['sample']);
});
