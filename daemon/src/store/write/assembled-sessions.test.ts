import { batchOf, type HealthRecord, MS_PER_MINUTE, type PushedDeletion, SLEEP_LENGTH } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { assembleSessions } from '../decide/assembly.js';
import { loadStages } from '../facts/sleep/stage-rows.js';

const START = Date.UTC(2026, 2, 10);
const SOURCE = { provider: 'apple', writer: 'Watch' } as const;
const SLEEP_END_GAP_MINUTES = 120;
const SLOTS = 96;

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

const at = (slot: number) => START + slot * 30 * MS_PER_MINUTE;

function stage(from: number, to: number, sessionId?: string, pushedId?: string): HealthRecord {
  const ids = { ...(sessionId !== undefined && { sessionId }), ...(pushedId !== undefined && { pushedId }) };
  return { kind: 'sleep_stage', source: SOURCE, stage: 'light', startMs: at(from), endMs: at(to), ...ids };
}

async function push(user: number, stages: HealthRecord[], deleted: readonly PushedDeletion[] = []): Promise<void> {
  const deletions: HealthRecord[] =
    deleted.length === 0 ? [] : [{ kind: 'deletion', provider: 'apple', of: 'pushed', items: deleted }];
  const batch = batchOf([...deletions, ...stages]);
  await fixture.writer.write(user, { ...batch, pushedBy: { provider: 'apple', device: 'phone' } });
}

/** Returns the spans of the stored sessions, and of the sessions that are assembled from all stored stages. */
async function sessionsOf(user: number): Promise<{ stored: string[]; assembled: string[] }> {
  const spanOf = (startMs: number, endMs: number, id: string | null) => `${startMs} ${endMs} ${id}`;
  const { rows } = await fixture.pool.query<{ source_id: number; from: Date; to: Date; id: string | null }>(
    `select source_id, start_at as from, end_at as to, external_id as id from sleep_session where user_key = $1 and assembled`,
    [user],
  );
  const { rows: sources } = await fixture.pool.query<{ source_id: number }>(
    'select source_id from data_source where user_key = $1',
    [user],
  );
  const client = await fixture.pool.connect();
  try {
    const sourceId = sources[0]?.source_id ?? 0;
    const stages = await loadStages(client, user, { sourceId, fromMs: at(-SLOTS), toMs: at(2 * SLOTS) });
    const assembled = assembleSessions(stages, SLEEP_END_GAP_MINUTES)
      .filter(({ startMs, endMs }) => endMs - startMs >= SLEEP_LENGTH.minMs && endMs - startMs <= SLEEP_LENGTH.maxMs)
      .map(({ startMs, endMs, externalId = null }) => spanOf(startMs, endMs, externalId));
    const stored = rows.map(({ from, to, id }) => spanOf(from.getTime(), to.getTime(), id));
    return { stored: stored.sort(), assembled: assembled.sort() };
  } finally {
    client.release();
  }
}

async function sessionRows(user: number): Promise<{ id: string; from: Date; to: Date }[]> {
  const { rows } = await fixture.pool.query<{ id: string; from: Date; to: Date }>(
    'select id, start_at as from, end_at as to from sleep_session where user_key = $1 order by start_at',
    [user],
  );
  return rows;
}

describe('assembled sessions', () => {
  it('keep the start of a session whose last stage gets another id', async () => {
    const user = await fixture.newUser();
    await push(user, [stage(0, 2, 'X'), stage(14, 16, 'X')]);
    await push(user, [stage(14, 16, 'Y')]);
    const { stored, assembled } = await sessionsOf(user);
    expect(stored).toHaveLength(2);
    expect(stored).toEqual(assembled);
  });

  it('keep the start of a session whose last stage is deleted', async () => {
    const user = await fixture.newUser();
    await push(user, [stage(0, 2, 'X', 'first'), stage(14, 16, 'X', 'last')]);
    await push(user, [], [{ id: 'last' }]);
    const { stored, assembled } = await sessionsOf(user);
    expect(stored).toHaveLength(1);
    expect(stored).toEqual(assembled);
  });

  describe('of a vendor id with one stage at a wrong time', () => {
    const NIGHT = [stage(0, 16, 'X')];

    it.each([
      ['a day and a half', 85],
      ['ten days', 480],
    ])('keep the night if the stage is off by %s', async (_, far) => {
      const user = await fixture.newUser();
      await push(user, NIGHT);
      const [night] = await sessionRows(user);
      await push(user, [stage(far, far + 2, 'X', 'wrong')]);
      expect(await sessionRows(user)).toEqual([night, expect.objectContaining({ from: new Date(at(far)) })]);
      await push(user, [], [{ id: 'wrong' }]);
      expect(await sessionRows(user)).toEqual([night]);
    });

    it('keep the id of the night if the stage is earlier', async () => {
      const user = await fixture.newUser();
      await push(user, NIGHT);
      const [night] = await sessionRows(user);
      await push(user, [stage(-60, -58, 'X')]);
      expect(await sessionRows(user)).toEqual([expect.objectContaining({ from: new Date(at(-60)) }), night]);
    });

    it('divide at a pause of more than twelve hours', async () => {
      const user = await fixture.newUser();
      await push(user, [stage(0, 2, 'X'), stage(26, 28, 'X')]);
      expect(await sessionRows(user)).toHaveLength(1);
      await push(user, [stage(53, 54, 'X')]);
      expect(await sessionRows(user)).toHaveLength(2);
    });

    it('reappear when the stage that merged them is deleted', async () => {
      const user = await fixture.newUser();
      await push(user, [...NIGHT, stage(36, 38, 'X'), stage(60, 62, 'X', 'second'), stage(80, 82, 'X')]);
      expect(await sessionRows(user)).toHaveLength(0);
      await push(user, [], [{ id: 'second' }]);
      expect(await sessionRows(user)).toHaveLength(2);
    });

    it('accept the rest of a night after its mistimed part is deleted', async () => {
      const user = await fixture.newUser();
      await push(user, [...NIGHT, stage(85, 87, 'X')]);
      const [, wrong] = await sessionRows(user);
      await fixture.writer.deleteSession(user, 'sleep_session', wrong?.id ?? '');
      await push(user, [stage(16, 18, 'X'), stage(85, 87, 'X')]);
      const rows = await sessionRows(user);
      expect(rows.map(({ to }) => to)).toEqual([new Date(at(18))]);
    });
  });

  it('are stored only if they reach the minimum length', async () => {
    const user = await fixture.newUser();
    const record = stage(0, 1);
    const lengthsMs = [SLEEP_LENGTH.minMs - 1_000, SLEEP_LENGTH.minMs];
    const counts: number[] = [];
    for (const lengthMs of lengthsMs) {
      await push(user, [{ ...record, endMs: at(0) + lengthMs } as HealthRecord]);
      counts.push((await sessionsOf(user)).stored.length);
    }
    expect(counts).toEqual([0, 1]);
  });

  describe('of an archived date', () => {
    const archived = { counted_as_nap: true, summary_date: '2026-03-09' };
    const archive = (user: number) =>
      fixture.pool.query('update sleep_session set counted_as_nap = $2, summary_date = $3 where user_key = $1', [
        user,
        ...Object.values(archived),
      ]);
    const marksOf = async (user: number) =>
      (
        await fixture.pool.query(
          'select counted_as_nap, summary_date::text from sleep_session where user_key = $1 order by start_at',
          [user],
        )
      ).rows;

    it('still count on that date after a split', async () => {
      const user = await fixture.newUser();
      await push(user, [stage(0, 4), stage(4, 12, undefined, 'middle'), stage(12, 16)]);
      await archive(user);
      await push(user, [], [{ id: 'middle' }]);
      expect(await marksOf(user)).toEqual([archived, archived]);
    });

    it.each([undefined, 'X'])('still count on that date after growing (vendor id %s)', async (sessionId) => {
      const user = await fixture.newUser();
      await push(user, [stage(0, 4, sessionId)]);
      await archive(user);
      await push(user, [stage(4, 8, sessionId), stage(40, 44, sessionId && 'Y')]);
      const fresh = { counted_as_nap: null, summary_date: null };
      expect(await marksOf(user)).toEqual([archived, fresh]);
    });
  });

  it('equal the assembly of all stored stages after any pushes', async () => {
    const batch = fc.record({
      stages: fc.array(
        fc.record({
          from: fc.nat({ max: SLOTS }),
          length: fc.constantFrom(1, 2, 3),
          id: fc.constantFrom(undefined, 'X', 'Y', 'Z'),
        }),
        { maxLength: 6 },
      ),
      deleted: fc.array(fc.nat({ max: SLOTS }), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 5 }), async (batches) => {
        const user = await fixture.newUser();
        for (const { stages, deleted } of batches) {
          const records = stages.map(({ from, length, id }) => stage(from, from + length, id, `stage-${from}`));
          await push(
            user,
            records,
            deleted.map((from) => ({ id: `stage-${from}` })),
          );
        }
        const { stored, assembled } = await sessionsOf(user);
        expect(stored).toEqual(assembled);
      }),
      { numRuns: propertyRuns(25, 1_000), endOnFailure: true },
    );
  });
});
