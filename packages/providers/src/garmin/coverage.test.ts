import { SERIES_TYPES } from '@healthd/model';
import { startGarminSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { SLEEP_FIELDS } from '../provider.js';
import { filledWorkoutFields } from '../testing/workout-fields.js';
import { GARMIN_COVERAGE } from './coverage.js';
import { GARMIN_DELIVERIES } from './deliveries.js';
import { GARMIN_EXPORTS } from './exports.js';
import { read } from './testing/read.js';

it('Garmin gives exactly what its coverage declares', async () => {
  const simulator = await startGarminSimulator({ now: '2026-05-10T20:00:00Z' });
  try {
    await simulator.control.addAccount({ id: 'ada', hasCycles: true });
    await simulator.control.seedHistory('ada', { seed: 3, days: 40 });
    const held = await simulator.control.summaries('ada');
    const reads = Object.entries(held).map(([key, items]) => read(key, ...(items ?? [])));
    // No made-up person pushes a wheelchair.
    reads.push(
      read('dailies', { userId: 'x', startTimeInSeconds: 1_746_828_000, durationInSeconds: 86_400, pushes: 9 }),
    );
    // A pregnancy is reported in a cycle.
    reads.push(read('mct', { periodStartDate: '2026-01-01', pregnancySnapshot: { dueDate: '2026-10-08' } }));
    const emitted = new Set(reads.flatMap(({ samples }) => samples.map(({ code }) => code)));
    expect(SERIES_TYPES.map(({ code }) => code).filter((code) => emitted.has(code))).toEqual(GARMIN_COVERAGE.series);
    const workouts = reads.flatMap((one) => one.workouts);
    expect(filledWorkoutFields(workouts)).toEqual(GARMIN_COVERAGE.workoutFields);
    expect(new Set(reads.flatMap(({ scores }) => scores.map(({ category }) => category)))).toEqual(
      new Set(GARMIN_COVERAGE.healthScores),
    );
    const cycles = new Set(reads.flatMap(({ cycles }) => cycles.flatMap(({ details }) => Object.keys(details))));
    expect([...cycles].sort()).toEqual([...GARMIN_COVERAGE.menstrualCycleFields].sort());
    const night = reads.flatMap(({ nights }) => nights).find(({ isNap }) => !isNap);
    for (const member of ['awake', 'deep', 'light', 'rem', 'inBed', 'asleep']) {
      expect(night).toHaveProperty(`${member}Seconds`, expect.any(Number));
    }
    expect(night).toMatchObject({ efficiencyPercent: expect.any(Number), stages: expect.any(Array) });
    expect(GARMIN_COVERAGE.sleepFields).toEqual(SLEEP_FIELDS);
  } finally {
    await simulator.close();
  }
});

it('every kind of summary whose past can be requested is delivered as a kind that is read', () => {
  const delivered = GARMIN_DELIVERIES.dataTypes.map(({ id }) => id);
  for (const type of GARMIN_EXPORTS.types) expect(delivered).toContain(type.delivered);
});
