import { createHash } from 'node:crypto';
import { MS_PER_DAY, MS_PER_HOUR, SERIES_TYPES, seriesTypeByCode } from '@healthd/model';
import type { OpenWearablesDatabase } from './database.js';

/** Returns a UUID that depends only on the words. */
export function idOf(...words: (string | number)[]): string {
  const hex = createHash('sha256').update(words.join(' ')).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

export const ANNA = idOf('anna');
export const BOB = idOf('bob');
/** ID of a user with only required values. */
export const CARLA = idOf('carla');
export const API_KEY = `sk-${'0123456789abcdef'.repeat(2)}`;
export const TOKENS = { access: 'ya29.made-up-access', refresh: '1//made-up-refresh' };

const iso = (ms: number) => new Date(ms).toISOString();
const typeId = (code: Parameters<typeof seriesTypeByCode>[0]) => seriesTypeByCode(code)?.id as number;

/** Expected responses, computed from the generated data and not from stored data. */
export interface Truth {
  /** Steps by user and local date. */
  steps: Map<string, Map<string, number>>;
  /** Anna's heart rates, oldest first. */
  heartRates: { at: string; bpm: number }[];
}

// Warsaw's clocks move forward on 30 March 2025.
const FIRST_DAY = Date.UTC(2025, 2, 28);
const DAYS = 4;
const warsawOffset = (ms: number) => (ms < Date.UTC(2025, 2, 30, 1) ? 1 : 2);

interface Samples {
  rows: Record<string, unknown>[];
}

function addSample(samples: Samples, source: string, code: string, atMs: number, more: Record<string, unknown>): void {
  samples.rows.push({
    id: idOf('sample', source, code, atMs),
    data_source_id: idOf('source', source),
    series_type_definition_id: typeId(code as 'steps'),
    recorded_at: iso(atMs),
    ...more,
  });
}

function count(totals: Map<string, number>, date: string, value: number): void {
  totals.set(date, (totals.get(date) ?? 0) + value);
}

/** Fills the database with generated users and returns the expected responses. */
export async function addPeople(database: OpenWearablesDatabase): Promise<Truth> {
  await database.add('user', [
    { id: ANNA, first_name: 'Anna', last_name: 'Nowak', email: 'anna@clinic.example', external_user_id: 'patient-1' },
    { id: BOB, first_name: 'Bob', email: 'bob@clinic.example', created_at: '2025-02-02T00:00:00Z' },
    { id: CARLA, created_at: '2025-02-03T00:00:00Z' },
  ]);
  await database.add('personal_record', [
    { id: idOf('p1'), user_id: ANNA, birth_date: '1984-05-06', gender: 'female' },
    { id: idOf('p2'), user_id: BOB, sex: true, gender: 'unspoken' },
    { id: idOf('p3'), user_id: CARLA },
  ]);
  await addConnections(database);
  await addSources(database);
  await database.add('series_type_definition', [
    ...SERIES_TYPES.map(({ id, code, unit }) => ({ id, code, unit: code === 'waist_circumference' ? 'inch' : unit })),
    { id: 6, code: 'recovery_score', unit: 'score' },
  ]);
  const truth: Truth = { steps: new Map(), heartRates: [] };
  const samples: Samples = { rows: [] };
  addAnnasSamples(samples, truth);
  addBobsSamples(samples, truth);
  addOddSamples(samples);
  await database.add('data_point_series', samples.rows);
  await addArchive(database, truth);
  await addSettings(database);
  return truth;
}

/** Adds a watch and a phone that count steps in the same quarter hours. The watch wins. */
function addAnnasSamples(samples: Samples, truth: Truth): void {
  const totals = new Map<string, number>();
  truth.steps.set(ANNA, totals);
  for (let at = FIRST_DAY; at < FIRST_DAY + DAYS * MS_PER_DAY; at += MS_PER_HOUR / 4) {
    const offset = warsawOffset(at);
    const quarter = Math.round((at - FIRST_DAY) / (MS_PER_HOUR / 4));
    const hour = new Date(at + offset * MS_PER_HOUR).getUTCHours();
    const zone = `+0${offset}:00`;
    if (hour >= 7 && hour < 22) {
      const steps = 40 + (quarter % 17) * 9;
      // Only some rows have vendor IDs. The row ID distinguishes the other rows.
      const id = quarter % 3 === 0 ? `hk-${quarter}` : null;
      addSample(samples, 'annas watch', 'steps', at, {
        value: steps,
        zone_offset: zone,
        external_id: id,
        is_daily_total: false,
      });
      addSample(samples, 'annas phone', 'steps', at, { value: steps - 5, zone_offset: zone, is_daily_total: null });
      count(totals, iso(at + offset * MS_PER_HOUR).slice(0, 10), steps);
    }
    const bpm = 48 + (quarter % 29) + (hour >= 7 && hour < 22 ? 20 : 0);
    addSample(samples, 'annas watch', 'heart_rate', at, { value: bpm, zone_offset: zone });
    truth.heartRates.push({ at: iso(at), bpm });
  }
}

/** Adds daily totals next to their samples. The total wins. The user is in Los Angeles during summer time. */
function addBobsSamples(samples: Samples, truth: Truth): void {
  const totals = new Map<string, number>();
  truth.steps.set(BOB, totals);
  for (let day = 0; day < DAYS; day++) {
    const midnight = FIRST_DAY + day * MS_PER_DAY + 7 * MS_PER_HOUR;
    const zone_offset = '-07:00';
    const total = 9_000 + day * 321;
    addSample(samples, 'bobs garmin', 'steps', midnight, { value: total, zone_offset, is_daily_total: true });
    for (const [hour, steps] of [
      [9, 4_000],
      [17, 3_500],
    ] as const) {
      addSample(samples, 'bobs garmin', 'steps', midnight + hour * MS_PER_HOUR, {
        value: steps,
        zone_offset,
        is_daily_total: false,
      });
    }
    totals.set(iso(FIRST_DAY + day * MS_PER_DAY).slice(0, 10), total);
  }
}

/** Adds samples of unknown types or providers, without an owner, with impossible values, or without a zone. */
function addOddSamples(samples: Samples): void {
  addSample(samples, 'carlas scale', 'weight', FIRST_DAY, { value: 61.25, zone_offset: null });
  addSample(samples, 'carlas scale', 'height', FIRST_DAY, { value: 168, zone_offset: 'somewhere' });
  addSample(samples, 'carlas scale', 'heart_rate', FIRST_DAY, { value: 0 });
  addSample(samples, 'carlas scale', 'waist_circumference', FIRST_DAY, { value: 30 });
  addSample(samples, 'of an unknown provider', 'steps', FIRST_DAY, { value: 77 });
  addSample(samples, 'that does not exist', 'steps', FIRST_DAY, { value: 88 });
  samples.rows.push({
    id: idOf('retired'),
    data_source_id: idOf('source', 'annas watch'),
    series_type_definition_id: 6,
    recorded_at: iso(FIRST_DAY),
    value: 80,
  });
}

async function addArchive(database: OpenWearablesDatabase, truth: Truth): Promise<void> {
  const rows: Record<string, unknown>[] = [];
  for (let day = 0; day < 3; day++) {
    const at = Date.UTC(2024, 10, 5) + day * MS_PER_DAY;
    const row = { data_source_id: idOf('source', 'bobs garmin'), bucket_start_at: iso(at), sample_count: 20 };
    const steps = { series_type_definition_id: typeId('steps'), aggregation_type: 'sum', value: 7_000 + day };
    const heart = { series_type_definition_id: typeId('heart_rate'), aggregation_type: 'avg', value: 70 + day };
    rows.push({ id: idOf('archive', 's', day), ...row, ...steps }, { id: idOf('archive', 'h', day), ...row, ...heart });
    truth.steps.get(BOB)?.set(iso(at).slice(0, 10), 7_000 + day);
  }
  await database.add('data_point_series_archive', rows);
}

async function addConnections(database: OpenWearablesDatabase): Promise<void> {
  const expires = '2025-03-30T11:00:00Z';
  await database.add('user_connection', [
    {
      id: idOf('c1'),
      user_id: ANNA,
      provider: 'google',
      provider_user_id: 'account-1',
      scope: 'steps sleep',
      access_token: TOKENS.access,
      refresh_token: TOKENS.refresh,
      token_expires_at: expires,
      status: 'active',
      last_synced_at: '2025-03-30T10:00:00.123456Z',
    },
    { id: idOf('c2'), user_id: ANNA, provider: 'apple', status: 'active' },
    {
      id: idOf('c3'),
      user_id: BOB,
      provider: 'garmin',
      provider_user_id: 'g-1',
      status: 'active',
      access_token: 'made-up-garmin',
      refresh_token: null,
    },
    { id: idOf('c4'), user_id: BOB, provider: 'google', access_token: 'left-over', status: 'revoked' },
    { id: idOf('c5'), user_id: CARLA, provider: 'moonwatch', access_token: 'made-up-moon', status: 'active' },
    { id: idOf('c6'), user_id: idOf('nobody'), provider: 'garmin', status: 'active' },
  ]);
}

async function addSources(database: OpenWearablesDatabase): Promise<void> {
  const source = (name: string, user: string, more: Record<string, unknown>) => {
    return { id: idOf('source', name), user_id: user, ...more };
  };
  await database.add('data_source', [
    source('annas watch', ANNA, { provider: 'apple', device_model: 'Watch7,5', source: 'Watch', device_type: 'watch' }),
    source('annas phone', ANNA, {
      provider: 'apple',
      device_model: 'iPhone15,2',
      source: 'Phone',
      device_type: 'phone',
    }),
    source('annas ring', ANNA, {
      provider: 'oura',
      device_model: 'Oura Ring Gen3',
      source: 'oura',
      device_type: 'ring',
    }),
    source('bobs garmin', BOB, { provider: 'garmin', device_model: 'fēnix 7', source: 'garmin', device_type: null }),
    source('bobs whoop', BOB, { provider: 'whoop', source: 'whoop' }),
    source('carlas scale', CARLA, { provider: null, source: 'com.apple.Health' }),
    source('of an unknown provider', CARLA, { provider: 'moonwatch', device_model: 'Moon 1' }),
    source('of nobody', idOf('nobody'), { provider: 'garmin' }),
  ]);
}

async function addSettings(database: OpenWearablesDatabase): Promise<void> {
  await database.add('provider_priority', [
    { id: idOf('pp1'), provider: 'apple', priority: 2, created_at: 'now', updated_at: 'now' },
    { id: idOf('pp2'), provider: 'oura', priority: 1, created_at: 'now', updated_at: 'now' },
    { id: idOf('pp3'), provider: 'moonwatch', priority: 3, created_at: 'now', updated_at: 'now' },
  ]);
  await database.add('device_type_priority', [
    { id: idOf('dp1'), device_type: 'watch', priority: 1, created_at: 'now', updated_at: 'now' },
  ]);
  await database.add('archival_settings', [{ id: 1, archive_after_days: 90, delete_after_days: null }]);
  await database.add('developer', [{ id: idOf('d1'), email: 'dev@clinic.example', hashed_password: '$2b$12$made.up' }]);
  await database.add('api_key', [
    { id: API_KEY, name: 'back end', created_by: idOf('d1') },
    { id: 'no-key-of-ours', name: 'odd' },
  ]);
  await database.add('application', [
    { id: idOf('a1'), app_id: 'app_1', name: 'App', app_secret_hash: '$2b$12$made.up', developer_id: idOf('d1') },
  ]);
}
