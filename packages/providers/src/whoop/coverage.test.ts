import { MS_PER_DAY, SERIES_TYPES } from '@healthd/model';
import { startWhoopSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { filledWorkoutFields } from '../testing/workout-fields.js';
import { WHOOP_COVERAGE } from './coverage.js';
import { WHOOP_PULL } from './pull/index.js';
import { consent } from './testing/consent.js';
import { read } from './testing/read.js';
import { WHOOP_WEBHOOK } from './webhook.js';

const NOW = '2026-05-10T20:00:00Z';

it('WHOOP gives exactly what its coverage declares', async () => {
  const simulator = await startWhoopSimulator({ autoConsent: true, now: NOW });
  try {
    await simulator.control.addAccount({ id: 'ada' });
    await simulator.control.seedHistory('ada', { seed: 3, days: 25 });
    const { api, scopes } = await consent(simulator, 'ada');
    const endMs = Date.parse(NOW);
    const range = { startMs: endMs - 25 * MS_PER_DAY, endMs };
    const reads = await Promise.all(WHOOP_PULL.dataTypes.map(({ id }) => read(api, scopes, id, range)));
    const emitted = new Set(reads.flatMap(({ samples }) => samples.map(({ series }) => series)));
    expect(SERIES_TYPES.map(({ code }) => code).filter((code) => emitted.has(code))).toEqual(WHOOP_COVERAGE.series);
    const workouts = reads.flatMap((one) => one.workouts);
    expect(filledWorkoutFields(workouts, 'totalCaloriesKcal')).toEqual(WHOOP_COVERAGE.workoutFields);
    expect(new Set(reads.flatMap(({ scores }) => scores.map(({ category }) => category)))).toEqual(
      new Set(WHOOP_COVERAGE.healthScores),
    );
    const night = reads.flatMap(({ nights }) => nights).find(({ deepSeconds }) => deepSeconds !== undefined);
    for (const member of ['awake', 'deep', 'light', 'rem', 'inBed', 'asleep']) {
      expect(night).toHaveProperty(`${member}Seconds`, expect.any(Number));
    }
    expect(night).toMatchObject({ isNap: expect.any(Boolean), efficiencyPercent: expect.any(Number) });
    expect(night?.stages).toBeUndefined();
    expect(WHOOP_COVERAGE.sleepFields).not.toContain('sleep_stages');
  } finally {
    await simulator.close();
  }
});

it('the kinds of data that count as notified are those that WHOOP has events for', () => {
  const notified = WHOOP_PULL.dataTypes.filter((type) => type.notified).map(({ id }) => id);
  expect(notified).toEqual(WHOOP_WEBHOOK.dataTypes);
});
