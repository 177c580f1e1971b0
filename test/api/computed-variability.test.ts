import type { ImportReport } from '@healthd/daemon/ingest/files';
import type { SyncRun } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportFixture, openImportFixture } from './import-fixture.js';
import { modesExport } from './import-modes-xml.js';
import { payload, reading } from './push-payloads.js';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

const SDNN = 'HKQuantityTypeIdentifierHeartRateVariabilitySDNN';
/** A watch whose samples have the same source in files and pushes. */
const WATCH = { appId: 'com.apple.health.7A1C', deviceModel: 'Watch7,3', name: 'Apple Watch' };
const AT = '2026-03-10T07:00:00Z';
const LATER = '2026-03-10T08:00:00Z';

/** Returns beats whose successive intervals differ by `change` ms. */
const beatTimes = (change: number) =>
  Array.from({ length: 41 }, (_, beat) => 0.8 * beat + (change / 1000) * Math.ceil(beat / 2));

function pushedSample(id: string, at: string, heartbeats?: unknown) {
  return { ...reading(SDNN, at, 42, 'ms', { source: WATCH, zoneOffset: '+01:00', heartbeats }), id };
}
const pushedBeats = (change: number) => beatTimes(change).map((time) => ({ time, precededByGap: false }));

function exportedSample(at: string, change: number): string {
  const date = `${at.slice(0, 10)} ${at.slice(11, 19)} +0000`;
  const beats = beatTimes(change).map((time, beat) => {
    const interval = beat === 0 ? 0.8 : time - (beatTimes(change)[beat - 1] as number);
    const clock = `7:00:${(10 + time).toFixed(2)}`;
    return `<InstantaneousBeatsPerMinute bpm="${Math.round(60 / interval)}" time="${clock}\u202fAM"/>`;
  });
  const device = '&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, hardware:Watch7,3&gt;';
  return ` <Record type="${SDNN}" sourceName="Apple Watch" device="${device}" unit="ms" startDate="${date}" endDate="${date}" value="42">
  <HeartRateVariabilityMetadataList>${beats.join('')}</HeartRateVariabilityMetadataList></Record>\n`;
}

async function imported(user: string, items: readonly string[], query = ''): Promise<ImportReport> {
  const content = modesExport(items, '2026-03-20T12:00:00Z');
  const run = await fixture.ended((await fixture.upload(user, content, { query })).run_id);
  expect(run.status).toBe('success');
  return run.metadata.report as ImportReport;
}

async function pushed(user: string, data: Parameters<typeof payload>[1], provider = 'apple'): Promise<SyncRun> {
  const response = await fetch(`${fixture.url}/api/v1/sdk/users/${user}/sync`, {
    method: 'POST',
    body: JSON.stringify(payload(provider, data)),
  });
  return fixture.ended(((await response.json()) as { batch_id: string }).batch_id);
}

interface Listed {
  timestamp: string;
  type: string;
  value: number;
  provenance?: string;
}

async function listed(user: string, query = ''): Promise<string[]> {
  const types = 'types=heart_rate_variability_sdnn&types=heart_rate_variability_rmssd';
  const { data } = await fixture.read<{ data: Listed[] }>(
    `/api/v1/users/${user}/timeseries?start_time=2026-03-09&end_time=2026-03-12&${types}${query}`,
  );
  return data.map(
    ({ timestamp, type, value, provenance }) =>
      `${timestamp.slice(11, 16)} ${type.slice(-5).replace('_', '')} ${value}${provenance ? ` ${provenance}` : ''}`,
  );
}

describe('computed RMSSD', () => {
  it('of an export is marked in raw time series', async () => {
    const user = await fixture.createUser();
    const report = await imported(user, [exportedSample(AT, 50)]);
    expect(report.samples_by_type).toEqual({ heart_rate_variability_sdnn: 1, heart_rate_variability_rmssd: 1 });
    expect(await listed(user)).toEqual(['07:00 sdnn 42', '07:00 rmssd 50 computed']);
  });

  it('does not change when the file is imported again', async () => {
    const user = await fixture.createUser();
    await imported(user, [exportedSample(AT, 50)]);
    const { stored } = await imported(user, [exportedSample(AT, 50)]);
    expect(stored.samples).toEqual({ inserted: 0, updated: 0, unchanged: 2 });
  });

  it('is deleted with its sample by a replacing file', async () => {
    const user = await fixture.createUser();
    await imported(user, [exportedSample(AT, 50), exportedSample(LATER, 40)]);
    const tried = await imported(user, [exportedSample(AT, 50)], '?mode=replace&dry_run=true');
    const done = await imported(user, [exportedSample(AT, 50)], '?mode=replace');
    expect(done).toMatchObject({ gone: 2, changes: tried.changes });
    expect(tried.gone).toBe(2);
    expect(await listed(user)).toEqual(['07:00 sdnn 42', '07:00 rmssd 50 computed']);
  });

  it('fills the recovery summary', async () => {
    const user = await fixture.createUser();
    await pushed(user, { records: [pushedSample('a', AT, pushedBeats(50))] });
    const { data } = await fixture.read<{ data: object[] }>(
      `/api/v1/users/${user}/summaries/recovery?start_date=2026-03-10&end_date=2026-03-11`,
    );
    expect(data).toMatchObject([{ avg_hrv_sdnn_ms: 42, avg_hrv_rmssd_ms: 50 }]);
  });

  it('is stored once for a file and a push of one watch', async () => {
    const user = await fixture.createUser();
    await pushed(user, { records: [pushedSample('a', AT, pushedBeats(50))] });
    expect((await imported(user, [exportedSample(AT, 50)])).stored.samples).toMatchObject({ inserted: 0 });
    expect(await listed(user)).toEqual(['07:00 sdnn 42', '07:00 rmssd 50 computed']);
  });

  it('follows a new version of its sample', async () => {
    const user = await fixture.createUser();
    await pushed(user, { records: [pushedSample('a', AT, pushedBeats(50))] });
    await pushed(user, { records: [pushedSample('a', AT, pushedBeats(30))] });
    expect(await listed(user)).toEqual(['07:00 sdnn 42', '07:00 rmssd 30 computed']);
  });

  it.each([
    ['its ID', { id: 'a' }],
    ['its ID and type', { id: 'a', type: SDNN }],
    ['a range', { type: SDNN, start: AT, end: '2026-03-10T07:30:00Z', source: WATCH }],
  ])('is deleted when the phone deletes its sample by %s', async (_, deletion) => {
    const user = await fixture.createUser();
    const records = [pushedSample('a', AT, pushedBeats(50)), pushedSample('b', LATER, pushedBeats(40))];
    await pushed(user, { records });
    expect((await pushed(user, { deleted: [deletion] })).metadata).toMatchObject({ deleted: 1, not_found: 0 });
    expect(await listed(user)).toEqual(['08:00 sdnn 42', '08:00 rmssd 40 computed']);
    await imported(user, [exportedSample(AT, 50)]);
    expect(await listed(user)).toEqual(['08:00 sdnn 42', '08:00 rmssd 40 computed']);
  });

  it('does not return when a deleted sample is pushed again', async () => {
    const user = await fixture.createUser();
    await pushed(user, { deleted: [{ id: 'a', type: SDNN }] });
    await pushed(user, { records: [pushedSample('a', AT, pushedBeats(50))] });
    expect(await listed(user)).toEqual([]);
  });

  it('ranks behind values of another vendor', async () => {
    const user = await fixture.createUser();
    await pushed(user, { records: [pushedSample('a', AT, pushedBeats(50))] });
    expect(await listed(user, '&filter_by_priority=true')).toContain('07:00 rmssd 50 computed');
    await pushed(user, { records: [reading('HEART_RATE_VARIABILITY', LATER, 61, 'ms')] }, 'samsung');
    expect(await listed(user, '&filter_by_priority=true')).toEqual(['07:00 sdnn 42', '08:00 rmssd 61']);
  });

  it.each([
    ['not_an_array', { time: 1 }],
    ['invalid_value', [{ time: 1 }, { time: 'x' }]],
    ['invalid_value', [{ time: 2 }, { time: 1 }]],
    ['invalid_value', [{ time: 1, precededByGap: 'no' }]],
    ['invalid_value', [1, 2]],
    ['too_many', Array.from({ length: 1_002 }, (_, time) => ({ time }))],
  ])('rejects only the heartbeats of a record: %s', async (code, heartbeats) => {
    const user = await fixture.createUser();
    const run = await pushed(user, { records: [pushedSample('a', AT, heartbeats)] });
    expect(run.metadata.rejected).toMatchObject([{ collection: 'records', index: 0, field: 'heartbeats', code }]);
    expect(await listed(user)).toEqual(['07:00 sdnn 42']);
  });

  it('counts no difference across a gap', async () => {
    const user = await fixture.createUser();
    const beats = pushedBeats(50).map((beat, at) => (at < 20 ? beat : { ...beat, time: beat.time + 0.13 }));
    await pushed(user, { records: [pushedSample('a', AT, beats)] });
    const withGap = beats.map((beat, at) => (at === 20 ? { ...beat, precededByGap: true } : beat));
    await pushed(user, { records: [pushedSample('b', LATER, withGap)] });
    const values = (await listed(user)).filter((line) => line.includes('rmssd'));
    expect(values).not.toContain('07:00 rmssd 50 computed');
    expect(values).toContain('08:00 rmssd 50 computed');
  });
});
