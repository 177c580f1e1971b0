import type { ActivitySummary, RecoverySummary } from '@healthd/schemas';
import { expect, test } from 'vitest';
import { withheldActivity, withheldRecovery } from './withheld.js';

const SOURCE = { provider: 'garmin', source: null, device: null, device_type: null, device_name: null };
const FACTS = new Set(['date', 'source', 'sources', 'withheld']);

/**
 * Returns the names of the figures that a row still shows. Because the rows are typed, every new figure must be added
 * to these tests.
 */
function figuresOf(row: object): string[] {
  return Object.entries(row).flatMap(([name, value]) => (FACTS.has(name) || value === null ? [] : [name]));
}

test('empties every figure of a withheld recovery', () => {
  const row: RecoverySummary = {
    date: '2026-05-01',
    source: SOURCE,
    sources: { sleep: SOURCE, hrv: SOURCE, oxygen_saturation: SOURCE, resting_heart_rate: SOURCE, score: SOURCE },
    sleep_duration_seconds: 1,
    sleep_efficiency_percent: 1,
    resting_heart_rate_bpm: 1,
    avg_hrv_sdnn_ms: 1,
    avg_hrv_rmssd_ms: 1,
    avg_spo2_percent: 1,
    recovery_score: 1,
  };
  expect(figuresOf(withheldRecovery(row, new Set(['garmin'])))).toEqual([]);
  expect(withheldRecovery(row, new Set(['oura']))).toEqual(row);
});

test('empties every figure of a withheld activity', () => {
  const row: ActivitySummary = {
    date: '2026-05-01',
    source: SOURCE,
    sources: { movement: SOURCE, energy: SOURCE, heart_rate: SOURCE, elevation: SOURCE },
    steps: 1,
    distance_meters: 1,
    floors_climbed: 1,
    elevation_meters: 1,
    active_calories_kcal: 1,
    total_calories_kcal: 1,
    active_minutes: 1,
    sedentary_minutes: 1,
    intensity_minutes: { light: 1, moderate: 1, vigorous: 1 },
    heart_rate: { avg_bpm: 1, max_bpm: 1, min_bpm: 1 },
  };
  expect(figuresOf(withheldActivity(row, new Set(['garmin'])))).toEqual([]);
  expect(withheldActivity(row, new Set(['oura']))).toEqual(row);
});
