import { SERIES_TYPES } from '@healthd/model';
import { startGarminSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { SLEEP_FIELDS } from '../provider.js';
import { filledWorkoutFields } from '../testing/workout-fields.js';
import { GARMIN } from './provider.js';
import { read } from './testing/read.js';

it('yields exactly the declared coverage of Garmin', async () => {
  const simulator = await startGarminSimulator({ now: '2026-05-10T20:00:00Z' });
  try {
    await simulator.control.addAccount({ id: 'ada', hasCycles: true });
    await simulator.control.seedHistory('ada', { seed: 3, days: 40 });
    const held = await simulator.control.summaries('ada');
    const reads = Object.entries(held).map(([key, items]) => read(key, ...(items ?? [])));
    // The generated users push no wheelchair.
    reads.push(
      read('dailies', { userId: 'x', startTimeInSeconds: 1_746_828_000, durationInSeconds: 86_400, pushes: 9 }),
    );
    // The pregnancy is part of a cycle item.
    reads.push(read('mct', { periodStartDate: '2026-01-01', pregnancySnapshot: { dueDate: '2026-10-08' } }));
    const emitted = new Set(reads.flatMap(({ samples }) => samples.map(({ code }) => code)));
    expect(SERIES_TYPES.map(({ code }) => code).filter((code) => emitted.has(code))).toEqual(GARMIN.coverage.series);
    const workouts = reads.flatMap((one) => one.workouts);
    expect(filledWorkoutFields(workouts)).toEqual(GARMIN.coverage.workoutFields);
    expect(new Set(reads.flatMap(({ scores }) => scores.map(({ category }) => category)))).toEqual(
      new Set(GARMIN.coverage.healthScores),
    );
    const cycles = new Set(reads.flatMap(({ cycles }) => cycles.flatMap(({ details }) => Object.keys(details))));
    expect([...cycles].sort()).toEqual([...GARMIN.coverage.menstrualCycleFields].sort());
    const night = reads.flatMap(({ nights }) => nights).find(({ isNap }) => !isNap);
    for (const member of ['awake', 'deep', 'light', 'rem', 'inBed', 'asleep']) {
      expect(night).toHaveProperty(`${member}Seconds`, expect.any(Number));
    }
    expect(night).toMatchObject({ efficiencyPercent: expect.any(Number), stages: expect.any(Array) });
    expect(GARMIN.coverage.sleepFields).toEqual(SLEEP_FIELDS);
  } finally {
    await simulator.close();
  }
});

it('accepts deliveries of every summary type that Garmin exports', () => {
  const { deliveries, exports } = GARMIN.cloud ?? {};
  const exported = exports?.types.map(({ delivered }) => delivered) ?? [];
  expect(exported).toContain('sleeps');
  expect(deliveries?.dataTypes.map(({ id }) => id)).toEqual(expect.arrayContaining(exported));
});
