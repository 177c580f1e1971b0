import { type HealthRecord, MS_PER_SECOND } from '@healthd/model';
import { Random } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { fitFile, gpxFile, tcxFile } from '../../../../test/support/workout-files.js';
import { DocumentError, NoWorkoutError } from './document-fault.js';
import type { FileWorkout } from './file-workout.js';
import { readFitWorkout } from './fit-workout.js';
import { recordsOf, workoutFault } from './records.js';
import { readXmlWorkouts } from './xml-workouts.js';

/** Texts that break numbers, times and markup. */
const FRAGMENTS = ['9', '-', 'e308', '<', '>', '\u0000', '&#0;', '\uffff', '"', '9999-12-31T23:59:59Z', 'NaN'];
const MAX_SAMPLES = 25_000;

/** Changes, removes, repeats and inserts bytes. */
function mutated(file: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(file);
  const pick = (length: number) => random.integer(0, Math.max(0, length - 1));
  for (let count = random.integer(1, 6); count > 0; count--) {
    const at = pick(bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const from = pick(bytes.length);
    const changes = [
      () => Buffer.concat([before, Buffer.from([random.integer(0, 255)]), after.subarray(1)]),
      () => before,
      () => Buffer.concat([before, after.subarray(random.integer(0, 40))]),
      () => Buffer.concat([before, bytes.subarray(from, from + random.integer(0, 200)), after]),
      () => Buffer.concat([before, Buffer.from(FRAGMENTS[pick(FRAGMENTS.length)] ?? ''), after]),
    ];
    bytes = Buffer.from(changes[pick(changes.length)]?.() ?? bytes);
  }
  return bytes;
}

const FORMATS: [string, Buffer[], (bytes: Buffer) => FileWorkout[] | Promise<FileWorkout[]>][] = [
  [
    'FIT',
    [fitFile({ seconds: 20 }), fitFile({ seconds: 10, laps: 2, sessions: [{ sport: 2 }, { sport: 1, cycles: 9 }] })],
    async (bytes) => [await readFitWorkout(bytes)],
  ],
  ['GPX', [Buffer.from(gpxFile({ seconds: 8 }))], readXmlWorkouts],
  ['TCX', [Buffer.from(tcxFile())], readXmlWorkouts],
];

it.each(FORMATS)('reads or rejects every mutated %s file within a second', async (_, files, read) => {
  const random = new Random('mutated files');
  for (let run = 0; run < propertyRuns(200, 100_000); run++) {
    const file = files[run % files.length] as Buffer;
    const bytes = mutated(file, random);
    const startedAt = performance.now();
    let records: HealthRecord[] = [];
    try {
      const workouts = await read(bytes);
      const valid = workouts.filter((workout) => workoutFault(workout) === undefined);
      records = valid.flatMap((workout) => [...recordsOf(workout, MAX_SAMPLES).groups]).flat();
    } catch (error) {
      if (!(error instanceof DocumentError || error instanceof NoWorkoutError)) throw error;
    }
    expect(performance.now() - startedAt).toBeLessThan(MS_PER_SECOND);
    for (const record of records) if (record.kind === 'sample') expect(record.value).not.toBeNaN();
  }
});
