import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Channels, openChannels } from './doors.js';
import { liveDays } from './life.js';
import { truthOf } from './truth.js';

const LIFE = liveDays(4);
const TRUTH = truthOf(LIFE);

let doors: Channels;
beforeAll(async () => {
  doors = await openChannels();
});
afterAll(() => doors.stop());

interface Event {
  id: string;
  start_time: string;
}

test('restores no deleted nap or run through any channel', async () => {
  const user = await doors.newUser();
  await doors.pushDays(user, LIFE.days);
  const range = 'start_date=2026-10-01&end_date=2027-01-01';
  const newest = async (kind: 'sleep' | 'workouts') =>
    (await doors.call<{ data: Event[] }>(`/users/${user}/events/${kind}?${range}&limit=1`)).data[0]?.id ?? '';
  const [nap, run] = [await newest('sleep'), await newest('workouts')];
  await doors.call(`/users/${user}/events/sleep/${nap}`, { method: 'DELETE' });
  await doors.call(`/users/${user}/events/workouts/${run}`, { method: 'DELETE' });

  const last = { ...TRUTH.nights.at(-1), nap_count: 0, nap_duration_minutes: 0 };
  const left = {
    ...TRUTH,
    nights: [...TRUTH.nights.slice(0, -1), last],
    workouts: TRUTH.workouts.slice(0, -1),
  };
  expect(await doors.answers(user)).toEqual(left);
  const imported = await doors.importDays(user, LIFE.days);
  const pushed = await doors.pushDays(user, LIFE.days);
  for (const { metadata } of [imported, pushed])
    expect(metadata).toMatchObject({ items: { suppressed: 2, inserted: 0 } });
  expect(await doors.answers(user)).toEqual(left);

  await doors.call(`/users/${user}/events/sleep/${nap}/restore`, { method: 'POST' });
  await doors.call(`/users/${user}/events/workouts/${run}/restore`, { method: 'POST' });
  expect(await doors.answers(user)).toEqual(left);
  await doors.importDays(user, LIFE.days);
  expect(await doors.answers(user)).toEqual(TRUTH);
  await expect(doors.call(`/users/${user}/events/sleep/${nap}/restore`, { method: 'POST' })).rejects.toThrow('404');

  const done = (await doors.audited(user)).filter(
    ({ resource_id, outcome }) => resource_id !== null && outcome === 'success',
  );
  expect(done.map(({ action, resource, resource_id }) => [action, resource, resource_id])).toEqual([
    ['restore', 'workout', run],
    ['restore', 'sleep_session', nap],
    ['delete', 'workout', run],
    ['delete', 'sleep_session', nap],
  ]);
});
