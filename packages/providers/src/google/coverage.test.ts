import { MS_PER_DAY, SERIES_TYPES, seriesTypeById } from '@healthd/model';
import { startGoogleSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { providerById } from '../registry.js';
import { filledWorkoutFields } from '../testing/workout-fields.js';
import { GOOGLE_CLOUD_COVERAGE, GOOGLE_PUSH_COVERAGE } from './coverage.js';
import { GOOGLE_PULL } from './pull/index.js';
import { consent } from './pull/testing/consent.js';
import { MODES } from './pull/testing/modes.js';
import { pull } from './pull/testing/pull.js';
import { SUBSCRIBED_TYPES } from './subscriber-types.js';

const NOW = '2026-11-02T10:20:00Z';

it.each(Object.entries(MODES))('yields exactly the declared cloud coverage of Google in mode %s', async (_, mode) => {
  const simulator = await startGoogleSimulator({ autoConsent: true, now: NOW, quota: { perUser: 100_000 } });
  try {
    const { control } = simulator;
    await control.addAccount({ id: 'anna' });
    await control.seedHistory('anna', { seed: 3, days: 25 });
    // Data that the simulated account lacks.
    const at = { startTime: '2026-11-01T08:00:00Z', endTime: '2026-11-01T08:30:00Z' };
    const value = { activeMinutesByActivityLevel: [{ activityLevel: 'LIGHT', activeMinutes: '3' }] };
    await control.addPoints('anna', [
      { dataType: 'active-minutes', ...at, value },
      {
        dataType: 'heart-rate-variability',
        startTime: at.startTime,
        value: { standardDeviationMilliseconds: 44, rootMeanSquareOfSuccessiveDifferencesMilliseconds: 38 },
      },
      {
        dataType: 'exercise',
        id: 'run',
        ...at,
        source: 'watch',
        value: {
          exerciseType: 'RUNNING',
          activeDuration: '1700s',
          metricsSummary: {
            caloriesKcal: 348.5,
            distanceMillimeters: 5_400_000,
            steps: 5280,
            averageHeartRateBeatsPerMinute: 149,
            averageSpeedMillimetersPerSecond: 2812.5,
            elevationGainMillimeters: 41_000,
            mobilityMetrics: { avgCadenceStepsPerMinute: 165 },
          },
        },
      },
    ]);
    const { api, scopes } = await consent(simulator, 'anna');
    const endMs = Date.parse(NOW);
    const held = await pull(api, scopes, { startMs: endMs - 25 * MS_PER_DAY, endMs }, mode);
    const emitted = new Set(held.samples.map(({ typeId }) => seriesTypeById(typeId)?.code));
    const { series, workoutFields } = GOOGLE_CLOUD_COVERAGE;
    expect(SERIES_TYPES.map(({ code }) => code).filter((code) => emitted.has(code))).toEqual(series);
    expect(filledWorkoutFields(held.sessions, 'totalCaloriesKcal')).toEqual(workoutFields);
    const night = held.sessions.find((session) => session.kind === 'sleep_session' && session.deepSeconds);
    expect(night).toMatchObject({ isNap: false, stages: expect.any(Array), efficiencyPercent: expect.any(Number) });
    for (const member of ['awake', 'deep', 'light', 'rem', 'inBed', 'asleep']) {
      expect(night).toHaveProperty(`${member}Seconds`, expect.any(Number));
    }
  } finally {
    await simulator.close();
  }
});

it('declares the coverage of phone and cloud data together', () => {
  const coverage = providerById('google')?.coverage;
  for (const part of [GOOGLE_PUSH_COVERAGE, GOOGLE_CLOUD_COVERAGE]) {
    expect(coverage?.series).toEqual(expect.arrayContaining([...part.series]));
    expect(coverage?.workoutFields).toEqual(expect.arrayContaining([...part.workoutFields]));
  }
  const { series } = coverage ?? { series: [] };
  const parts = new Set([...GOOGLE_PUSH_COVERAGE.series, ...GOOGLE_CLOUD_COVERAGE.series]);
  expect(series).toHaveLength(parts.size);
});

it('subscribes to every notified type', () => {
  const notified = GOOGLE_PULL.dataTypes.filter((type) => type.notified).map(({ id }) => id);
  expect(SUBSCRIBED_TYPES).toEqual(expect.arrayContaining(notified));
});

it('reads every subscribed type', () => {
  const read = GOOGLE_PULL.dataTypes.map(({ id }) => id);
  expect(read).toEqual(expect.arrayContaining([...SUBSCRIBED_TYPES]));
});
