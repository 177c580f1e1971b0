import { SECONDS_PER_HOUR } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { GALAXY, payload, WATCH } from './push-payloads.js';

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());

interface Session {
  id: string;
  external_id: string | null;
  start_at: Date;
  end_at: Date;
  asleep_seconds: number;
  deep_seconds: number | null;
  is_nap: boolean;
  device_model: string | null;
}

const sessions = (user: string) =>
  fixture.rows<Session>(
    `select s.id, s.external_id, start_at, end_at, asleep_seconds, deep_seconds, is_nap, device_model
       from sleep_session s join health_user u using (user_key) join data_source d using (user_key, source_id)
      where u.id = $1 order by start_at, device_model`,
    [user],
  );

function stage(name: string, from: string, to: string, more: object = {}): object {
  return {
    id: `${name} ${from}`,
    stage: name,
    startDate: from,
    endDate: to,
    zoneOffset: '+01:00',
    source: WATCH,
    ...more,
  };
}

const night = (clock: string, day = '2026-11-19') => `${day}T${clock}:00Z`;

describe('sleep pushed by a device', () => {
  it('grows under one ID from the first push', async () => {
    const user = await fixture.createUser();
    await fixture.pushed(user, payload('apple', { sleep: [stage('light', night('00:00'), night('01:00'))] }));
    const [first] = await sessions(user);
    expect(first).toMatchObject({ asleep_seconds: 3600, deep_seconds: 0 });
    await fixture.pushed(user, payload('apple', { sleep: [stage('deep', night('01:00'), night('02:00'))] }));
    await fixture.pushed(
      user,
      payload('apple', { sleep: [stage('rem', night('22:30', '2026-11-18'), night('00:00'))] }),
    );
    const grown = await sessions(user);
    expect(grown).toHaveLength(1);
    expect(grown[0]).toMatchObject({ id: first?.id, asleep_seconds: 3.5 * SECONDS_PER_HOUR, deep_seconds: 3600 });
  });

  it('is unchanged when its items are repeated in reverse order', async () => {
    const user = await fixture.createUser();
    const items = [
      stage('in_bed', night('22:00', '2026-11-18'), night('05:30')),
      stage('light', night('22:20', '2026-11-18'), night('00:20')),
      stage('deep', night('00:20'), night('01:50')),
      stage('awake', night('01:50'), night('02:00')),
      stage('rem', night('02:00'), night('03:30')),
    ];
    await fixture.pushed(user, payload('apple', { sleep: items }));
    const before = await sessions(user);
    const again = await fixture.pushed(user, payload('apple', { sleep: [...items].reverse() }));
    expect(again.metadata.stored).toMatchObject({ sleep_stages: { inserted: 0, updated: 0, unchanged: 5 } });
    expect(await sessions(user)).toEqual(before);
  });

  it('from two devices forms two sessions', async () => {
    const user = await fixture.createUser();
    const phone = { deviceName: 'iPhone', deviceModel: 'iPhone16,1' };
    const sleep = [
      stage('in_bed', night('22:00', '2026-11-18'), night('05:30'), { source: phone }),
      stage('light', night('22:20', '2026-11-18'), night('05:20')),
    ];
    await fixture.pushed(user, payload('apple', { sleep }));
    expect((await sessions(user)).map((session) => session.device_model)).toEqual(['iPhone16,1', 'Watch7,3']);
  });

  it("keeps the vendor's sessions separate, even with close parts", async () => {
    const user = await fixture.createUser();
    const of = (parentId: string) => ({ parentId, source: GALAXY });
    const first = [
      stage('light', night('22:00', '2026-11-18'), night('23:00', '2026-11-18'), of('sl-1')),
      stage('deep', night('04:00'), night('05:00'), of('sl-1')),
      stage('light', night('05:10'), night('06:00'), of('sl-2')),
    ];
    await fixture.pushed(user, payload('samsung', { sleep: first }));
    const stored = await sessions(user);
    expect(stored.map((session) => [session.external_id, session.asleep_seconds])).toEqual([
      ['sl-1', 7200],
      ['sl-2', 3000],
    ]);
    await fixture.pushed(
      user,
      payload('samsung', { sleep: [stage('rem', night('00:00'), night('01:00'), of('sl-1'))] }),
    );
    const grown = await sessions(user);
    expect(grown.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    expect(grown[0]?.asleep_seconds).toBe(10_800);
  });

  it('in the afternoon is a nap in addition to the night', async () => {
    const user = await fixture.createUser();
    const sleep = [
      stage('sleeping', night('22:00', '2026-11-18'), night('05:00')),
      stage('sleeping', night('13:00'), night('13:40')),
    ];
    await fixture.pushed(user, payload('apple', { sleep }));
    expect((await sessions(user)).map((session) => session.is_nap)).toEqual([false, true]);
  });

  it("has the vendor's score", async () => {
    const user = await fixture.createUser();
    const values = [{ type: 'sleepScore', value: 84, unit: 'score' }];
    const sleep = [stage('light', night('00:00'), night('05:00'), { parentId: 'sl-3', source: GALAXY, values })];
    await fixture.pushed(user, payload('samsung', { sleep }));
    const scores = await fixture.rows('select category, value, external_id from health_score');
    expect(scores).toContainEqual({ category: 'sleep', value: 84, external_id: 'sl-3' });
  });

  it('with an unknown stage loses only that stage', async () => {
    const user = await fixture.createUser();
    const sleep = [stage('light', night('00:00'), night('05:00')), stage('LIGHT', night('05:00'), night('06:00'))];
    const run = await fixture.pushed(user, payload('apple', { sleep }));
    expect(run).toMatchObject({ status: 'success', metadata: { sleep_saved: 1, ignored: { 'sleep stage LIGHT': 1 } } });
  });
});
