import { batchOf, type HealthRecord, MS_PER_MINUTE } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { PHONE, WATCH } from '../../../../test/support/records.js';

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

describe('concurrent writers of one user', () => {
  it('lose no steps or covered minutes in the roll-ups', async () => {
    const user = await fixture.newUser();
    const batch = (from: number) =>
      batchOf(
        Array.from({ length: 60 }, (_, index): HealthRecord => {
          const source = index % 2 === 0 ? WATCH : PHONE;
          const startMs = Date.parse('2026-03-10T08:00Z') + (from * 60 + index) * MS_PER_MINUTE;
          return { kind: 'sample', source, typeId: 80, startMs, value: 1, sampleKind: 'sample', offsetMinutes: 0 };
        }),
      );
    await Promise.all(Array.from({ length: 12 }, (_, index) => fixture.writer.write(user, batch(index))));
    const { rows } = await fixture.pool.query(
      'select sum(sample_sum) as steps, sum(covered_minutes)::int as minutes from day_value where user_key = $1',
      [user],
    );
    expect(rows).toEqual([{ steps: 720, minutes: 720 }]);
  });
});
