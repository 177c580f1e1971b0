import { batchOf, type HealthRecord } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { randomRecord } from '../../../../test/support/random-records.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

/** Columns that differ even between stores with equal content. */
const OWN_COLUMNS = ['user_key', 'id', 'source_id', 'night_source_id', 'created_at', 'updated_at'];
const TABLES = [
  'sample',
  'sleep_stage',
  'sleep_session',
  'workout',
  'menstrual_cycle',
  'health_score',
  'day_value',
  'night_value',
];

/** Returns the content of a user's tables, with sources by name. */
async function contentOf(user: number): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    const { rows } = await fixture.pool.query<{ row: object }>(
      `select (to_jsonb(t) - $2::text[]) || jsonb_build_object('source', d.provider || ' ' || coalesce(d.writer, '')) as row
         from ${table} t join data_source d on d.user_key = t.user_key and d.source_id = t.source_id
        where t.user_key = $1`,
      [user, OWN_COLUMNS],
    );
    content[table] = rows.map(({ row }) => JSON.stringify(row)).sort();
  }
  return content;
}

async function stored(batches: readonly HealthRecord[][]): Promise<Record<string, unknown[]>> {
  const user = await fixture.newUser();
  for (const records of batches) await fixture.writer.write(user, batchOf(records));
  return contentOf(user);
}

describe('a batch', () => {
  it('stores the same rows for any split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomRecord, { minLength: 2, maxLength: 40 }), fc.nat(), async (records, at) => {
        const cut = at % records.length;
        expect(await stored([records.slice(0, cut), records.slice(cut)])).toEqual(await stored([records]));
      }),
      { numRuns: propertyRuns(25, 1_000), endOnFailure: true },
    );
  });

  it('stores the same rows when it is delivered twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomRecord, { minLength: 1, maxLength: 40 }), async (records) => {
        expect(await stored([records, records])).toEqual(await stored([records]));
      }),
      { numRuns: propertyRuns(25, 1_000), endOnFailure: true },
    );
  });
});
