import { batchOf, type HealthRecord, type ProviderId } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DocumentedSummaries, sourceText } from '../support/documented-summaries.js';
import { propertyRuns } from '../support/extent.js';
import { recordWriter } from '../support/recorded-user.js';
import {
  Dice,
  type RecordedSleep,
  type RecordedUser,
  randomUser,
  recordsOf,
  stageId,
  USER_DATES,
} from '../support/recorded-users.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

type Row = Record<string, unknown>;
interface ShownSource {
  provider: string;
  device: string | null;
  source: string | null;
}

function shownSource(shown: ShownSource | null): string | null {
  if (!shown) return null;
  const { provider, device, source } = shown;
  return sourceText({
    provider,
    ...(device !== null && { deviceModel: device }),
    ...(source !== null && { writer: source }),
  });
}

/** Returns the members of a response's row that the model also computes. */
function comparable(row: Row, like: Row): Row {
  const { efficiency_percent: efficiency, sessions } = row;
  const all: Row = {
    ...row,
    source: shownSource(row.source as ShownSource),
    sources: Object.fromEntries(
      Object.entries(row.sources as Record<string, ShownSource | null>).map(([group, one]) => [
        group,
        shownSource(one),
      ]),
    ),
    efficiency_percent: typeof efficiency === 'number' ? Math.round(efficiency * 10 + 1e-9) / 10 : efficiency,
    sessions: (sessions as Row[] | undefined)?.map((one) => `${one.start_time} ${one.end_time} ${one.is_nap}`).sort(),
  };
  return Object.fromEntries(Object.keys(like).map((name) => [name, all[name]]));
}

/** Fails unless all rows of the user equal the model's rows. */
async function expectDocumented(userId: string, user: RecordedUser, deleted: readonly RecordedSleep[] = []) {
  const model = new DocumentedSummaries(user, deleted);
  for (const name of ['activity', 'sleep', 'recovery'] as const) {
    const range = `start_date=${USER_DATES[0]}&end_date=${USER_DATES.at(-1)}&limit=100`;
    const { body } = await service.call('GET', `/api/v1/users/${userId}/summaries/${name}?${range}`);
    const expected: Row[] = [];
    for (const date of USER_DATES.slice(0, -1)) {
      const row = model[name](date);
      if (row) expected.push(row);
    }
    expect(body.data.map((row: Row) => comparable(row, expected[0] ?? {}))).toEqual(expected);
  }
}

test('computes summaries that equal a model of the documented rules', async () => {
  const writer = recordWriter(service);
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const dice = new Dice(seed);
      const user = randomUser(dice);
      const { id } = (await service.call('POST', '/api/v1/users')).body;
      const userKey = (await service.users.find(id))?.userKey ?? 0;
      const push = (records: HealthRecord[], provider: ProviderId) =>
        writer.write(userKey, { ...batchOf(records), pushedBy: { provider, device: 'phone' } });
      const deliver = async (records: HealthRecord[]) => {
        const byPhone = (provider: ProviderId) =>
          records.filter((one) => one.kind === 'sleep_stage' && one.source.provider === provider);
        for (const provider of ['apple', 'samsung'] as const) await push(byPhone(provider), provider);
        await writer.write(userKey, batchOf(records.filter(({ kind }) => kind !== 'sleep_stage')));
      };
      const records = dice.shuffled(recordsOf(user));
      const batches = dice.between(1, 5);
      for (let at = 0; at < batches; at++) await deliver(records.filter((_, index) => index % batches === at));
      await expectDocumented(id, user);

      const deleted = user.sleeps.filter(() => dice.chance(0.3));
      for (const sleep of deleted) {
        const { provider } = sleep.source;
        if (sleep.isPushed) {
          const items = sleep.stages.map((_, at) => ({ id: stageId(sleep, at) }));
          await push([{ kind: 'deletion', provider, of: 'pushed', items }], provider);
        } else await deliver([{ kind: 'deletion', provider, of: 'session', externalId: sleep.id }]);
      }
      const byPhone = deleted.filter(({ isPushed }) => isPushed);
      await expectDocumented(id, { ...user, sleeps: user.sleeps.filter((one) => !deleted.includes(one)) }, byPhone);
      // A redelivered session returns if a cloud deleted it, and stays deleted if a phone deleted it.
      await deliver(dice.shuffled(recordsOf({ samples: [], scores: [], sleeps: deleted })));
      await expectDocumented(id, { ...user, sleeps: user.sleeps.filter((one) => !byPhone.includes(one)) }, byPhone);
    }),
    { numRuns: propertyRuns(8, 150), endOnFailure: true },
  );
});
