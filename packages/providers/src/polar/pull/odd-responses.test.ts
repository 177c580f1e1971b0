import { type HealthRecord, MS_PER_DAY } from '@healthd/model';
import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { VendorApi, WindowReading } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import { consent, modeOf } from '../../testing/consent.js';
import { oddVersions, unreadableVersions } from '../../testing/odd-versions.js';
import { POLAR } from '../provider.js';
import { POLAR_WITH_SAMPLES } from '../testing/with-samples.js';

const NOW_MS = Date.now();
/** A range that each data type reads with one request. */
const WINDOW = { startMs: NOW_MS - 20 * MS_PER_DAY, endMs: NOW_MS };
let simulator: PolarSimulator;
let api: VendorApi;
beforeAll(async () => {
  simulator = await startPolarSimulator({ autoConsent: true, limits: { perQuarter: 1e6, perDay: 1e6 } });
  await simulator.control.addAccount({ id: 'ada', timeZone: 'America/Phoenix' });
  await simulator.control.setMember('ada', 'registered before');
  await simulator.control.seedHistory('ada', { seed: 7, days: 20 });
  ({ api } = await consent(POLAR.cloud, simulator, 'ada'));
});
afterAll(() => simulator.close());
beforeEach(() => simulator.control.clearFaults());

/** The vendor's lists: data type, path, and the member that contains the items. */
const LISTS: readonly [string, string, string?][] = [
  ['sleep', 'users/sleep', 'nights'],
  ['exercises', 'exercises'],
  ['activities', 'users/activities'],
  ['continuous-heart-rate', 'users/continuous-heart-rate', 'heart_rates'],
  ['nightly-recharge', 'users/nightly-recharge', 'recharges'],
  ['cardio-load', 'users/cardio-load/date'],
  ['alertness', 'users/sleepwise/alertness/date'],
  ['circadian-bedtime', 'users/sleepwise/circadian-bedtime/date'],
  ['bodytemperature', 'users/biosensing/bodytemperature'],
  ['skintemperature', 'users/biosensing/skintemperature'],
  ['spo2', 'users/biosensing/spo2'],
  ['ecg', 'users/biosensing/ecg'],
];

const read = (dataType: string, cloud = POLAR.cloud): Promise<WindowReading> | undefined =>
  cloud.pull?.read(api, dataType, WINDOW, modeOf(cloud), { scopes: new Set() });

async function response(path: string, body: unknown): Promise<void> {
  await simulator.control.clearFaults();
  await simulator.control.addFault({ kind: 'error', status: 200, body, path: `/v3/${path}`, times: null });
}

async function itemsOf(path: string, member: string | undefined): Promise<unknown[]> {
  const [from, to] = [WINDOW.startMs, WINDOW.endMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
  const found = await api.call({ path: `/v3/${path}`, query: { from, to, steps: 'true', zones: 'true' } });
  const list = member === undefined ? found : isObject(found) ? found[member] : undefined;
  return list as unknown[];
}

/** Returns the records that a reading stores, each as text. */
function storedBy(reading: WindowReading | undefined): Set<string> {
  if (!reading) return new Set();
  const { samples, records } = reading.batch;
  const all = new Set(records.filter(({ kind }) => kind !== 'replacement').map((record) => JSON.stringify(record)));
  const { typeId, startMs, value, kind, offsetMinutes } = samples;
  for (let row = 0; row < samples.length; row++) {
    all.add(`sample ${[typeId, startMs, value, kind, offsetMinutes].map((column) => column[row]).join(' ')}`);
  }
  return all;
}

/** Checks that all times fit the database and all numbers are finite. */
function expectStorable(records: readonly HealthRecord[]): void {
  const check = (value: unknown, at: string): void => {
    if (typeof value === 'number') {
      expect(Number.isFinite(value), at).toBe(true);
      if (at.endsWith('Ms')) expect(Math.abs(value), at).toBeLessThan(253_402_128_000_000);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) check(member, `${at}.${name}`);
    }
  };
  for (const record of records) check(record, record.kind);
}

it.each(LISTS)('%s: an invalid member affects only its own item', async (dataType, path, member) => {
  const wrapped = (list: unknown[]) => (member === undefined ? list : { [member]: list });
  // Some items have no records to store, for example at the edges of the window.
  const items: unknown[] = [];
  for (const item of await itemsOf(path, member)) {
    await response(path, wrapped([item]));
    if (storedBy(await read(dataType)).size > 0) items.push(item);
  }
  const [first, odd, last] = [items[0], items[1], items.at(-1)];
  expect(items.length).toBeGreaterThan(2);
  await response(path, wrapped([first, last]));
  const good = storedBy(await read(dataType));
  expect(good.size).toBeGreaterThan(0);
  for (const { member: name, versions } of oddVersions(odd)) {
    await response(path, wrapped([first, ...versions, last]));
    const reading = await read(dataType);
    const stored = storedBy(reading);
    expect(
      [...good].filter((one) => !stored.has(one)),
      name,
    ).toEqual([]);
    expectStorable(reading?.batch.records ?? []);
    for (const rejected of reading?.rejections.first ?? []) {
      expect(rejected, name).toMatchObject({
        collection: dataType,
        index: expect.any(Number),
        code: expect.any(String),
      });
      if (rejected.code !== 'not_an_object') expect(rejected.field, name).toBeTruthy();
    }
  }
});

/** Members that accept any text. */
const TEXTS = ['id', 'sport', 'detailed_sport_info', 'device', 'cardio_load_status', 'source_device_id'];

it.each(LISTS)('%s: counts each unreadable value with its field', async (dataType, path, member) => {
  const items = await itemsOf(path, member);
  const silent: string[] = [];
  for (const item of [items[1], items.at(-1)]) {
    const wrapped = (one: unknown) => (member === undefined ? [one] : { [member]: [one] });
    await response(path, wrapped(item));
    const good = storedBy(await read(dataType));
    for (const { member: name, version } of unreadableVersions(item, TEXTS)) {
      await response(path, wrapped(version));
      const reading = await read(dataType);
      const stored = storedBy(reading);
      const isSame = stored.size === good.size && [...good].every((one) => stored.has(one));
      const { total = 0, first = [] } = reading?.rejections ?? {};
      if (!isSame && total === 0) silent.push(name);
      for (const { field, code } of first) expect(field ?? code, name).toBeTruthy();
    }
  }
  expect([...new Set(silent)]).toEqual([]);
});

it.each(LISTS)('%s: distinguishes an empty response from an unknown shape', async (dataType, path, member) => {
  await simulator.control.addFault({ kind: 'error', status: 204, path: `/v3/${path}`, times: null });
  expect(storedBy(await read(dataType))).toEqual(new Set());
  for (const list of ['text', 7, true, { unexpected: [] }]) {
    await response(path, member === undefined ? list : { [member]: list });
    await expect(read(dataType), JSON.stringify(list)).rejects.toMatchObject({ code: 'invalid_answer' });
  }
});

it('reads continuous heart rates in all three response shapes', async () => {
  const path = 'users/continuous-heart-rate';
  const [listed] = (await itemsOf(path, 'heart_rates')).filter(isObject);
  // The vendor's response for one date is the day itself.
  const day = await api.call({ path: `/v3/${path}/${listed?.date}` });
  const found = [];
  for (const body of [{ heart_rates: [day] }, [day], day]) {
    await response(path, body);
    found.push(storedBy(await read('continuous-heart-rate')));
  }
  expect(found[0]?.size).toBeGreaterThan(100);
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual(found[0]);
});

it('reads the other settings if one setting is invalid', async () => {
  const settings = await api.call({ path: '/v3/users/physical-info' });
  const all = (await read('physical-info'))?.states ?? [];
  expect(all).toHaveLength(4);
  for (const { member, versions } of oddVersions(settings)) {
    for (const version of versions) {
      await response('users/physical-info', version);
      const states = (await read('physical-info'))?.states ?? [];
      for (const { value, startMs } of states)
        expect(Number.isFinite(value) && startMs <= Date.now(), member).toBe(true);
      if (member !== '' && member !== 'modified') expect(states.length, member).toBeGreaterThanOrEqual(3);
    }
  }
});

/** Returns an exercise with the first values of its samples and route, because each of its versions is read. */
function shortened(detailed: unknown): unknown {
  const { samples, route, ...rest } = detailed as { samples: { data: string }[]; route?: unknown[] };
  const short = samples.map((sample) => ({ ...sample, data: sample.data.split(',').slice(0, 20).join(',') }));
  return { ...rest, samples: short, ...(route && { route: route.slice(0, 20) }) };
}

it('stores an exercise without its invalid samples', async () => {
  const listed = (await itemsOf('exercises', undefined)).filter(isObject).slice(0, 2);
  const id = String(listed[0]?.id);
  const detailed = shortened(
    await api.call({ path: `/v3/exercises/${id}`, query: { samples: 'true', route: 'true' } }),
  );
  const workouts = async () => {
    const reading = await read('exercises', POLAR_WITH_SAMPLES);
    expectStorable(reading?.batch.records ?? []);
    return (reading?.batch.records ?? []).filter(({ kind }) => kind === 'workout').length;
  };
  // Shortens the list. Each reading requests the samples of every listed exercise, and the vendor lists dozens.
  const list = { kind: 'error', status: 200, body: listed, path: '/v3/exercises?', times: null } as const;
  await simulator.control.addFault(list);
  const count = await workouts();
  expect(count).toBe(2);
  for (const { member, versions } of oddVersions(detailed)) {
    for (const version of versions) {
      await response(`exercises/${id}`, version);
      await simulator.control.addFault(list);
      expect(await workouts(), member).toBe(count);
    }
  }
});

it('tests every data type with invalid responses', () => {
  const asked = [...LISTS.map(([id]) => id), 'physical-info'];
  expect(POLAR.cloud.pull.dataTypes.map(({ id }) => id).toSorted()).toEqual(asked.toSorted());
});

it('declares one day as the longest range for dense heart rates', async () => {
  const dense = Array.from({ length: 90_001 }, () => ({ sample_time: '00:00:00', heart_rate: 60 }));
  const answering: VendorApi = {
    call: async () => ({ heart_rates: [{ date: '2026-05-04', heart_rate_samples: dense }] }),
  };
  const asked = POLAR.cloud.pull.read(answering, 'continuous-heart-rate', WINDOW, modeOf(POLAR.cloud), {
    scopes: new Set(),
  });
  await expect(asked).rejects.toMatchObject({ code: 'range_too_long', longestMs: MS_PER_DAY });
});
