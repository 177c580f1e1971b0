import { batchOf } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { healthChecksums } from '../../../../test/support/health-tables.js';
import { randomRecord } from '../../../../test/support/random-records.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

const records = fc.array(randomRecord, { minLength: 1, maxLength: 40 });

describe('a dry run', () => {
  it('reports the counts of the subsequent import without writing', async () => {
    await fc.assert(
      fc.asyncProperty(records, records, fc.boolean(), fc.boolean(), async (stored, file, keepStored, overlaps) => {
        const user = await fixture.newUser();
        await fixture.write(user, ...stored);
        const batch = batchOf(overlaps ? [...file, ...stored] : file);
        const outcome = async (isDryRun: boolean) => {
          const writer = await fixture.writer.openFile(user, { replaces: false, isDryRun, keepStored, runId: 'imp_1' });
          try {
            const {
              sleepSessionIds: sleep,
              workoutIds: workouts,
              changedStages,
              ...result
            } = await writer.write(batch);
            // Compares only the number of new ids and no source ids. New sessions get random ids, and new sources of a
            // dry run get negative numbers.
            const ids = [sleep, workouts].map(({ inserted, updated }) => [inserted.length, [...updated].sort()]);
            return { ...result, ids, stages: changedStages.map(({ sourceId: _, ...stage }) => stage) };
          } finally {
            writer.close();
          }
        };
        const before = await healthChecksums(fixture);
        const expected = await outcome(true);
        expect(await healthChecksums(fixture)).toEqual(before);
        expect(expected).toEqual(await outcome(false));
      }),
      { numRuns: propertyRuns(30, 1_000), endOnFailure: true },
    );
  });
});
