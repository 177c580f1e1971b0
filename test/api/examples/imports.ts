import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../../docs/documents.js';
import { asleepAt, modesExport, recordAt, runAt } from '../import-modes-xml.js';
import type { Recorder } from './recorder.js';

const EXPORTED = '2026-03-11T08:00:00Z';
const EXPORT = modesExport(
  [recordAt('2026-03-10T07:00:00Z'), asleepAt('2026-03-09T22:00:00Z', 7), runAt('2026-03-10T17:00:00Z', 30)],
  EXPORTED,
);
const TRACK = `<gpx version="1.1" creator="Example App"><trk><type>running</type><trkseg>${['07:00', '07:01', '07:02']
  .map((time, n) => `<trkpt lat="${48 + n / 1_000}" lon="11"><time>2026-03-09T${time}:00Z</time></trkpt>`)
  .join('')}</trkseg></trk></gpx>`;
const IN_PART = modesExport([recordAt('2026-03-10T07:00:00Z', { value: 'many' }), recordAt('2026-03-10T08:00:00Z')]);

/** Records examples for file imports, phone pushes and their runs. */
export async function recordImports(recorder: Recorder): Promise<void> {
  const { id: user_id } = await recorder.call('createUser');
  const path = { user_id };
  await recordPush(recorder, user_id);

  const upload = (file: string, query = {}) => recorder.call('importAppleExport', { path, query, body: { file } });
  const ended = async (run_id: string, status: string) => {
    const read = () => recorder.service.pool.query('select status from sync_run where run_id = $1', [run_id]);
    await expect.poll(async () => (await read()).rows[0]?.status).toBe(status);
  };
  const { run_id } = await upload(EXPORT);
  await ended(run_id, 'success');
  await recorder.call('getSyncRun', { path: { run_id } });
  await recorder.call('listChanges', { query: { user_id, kinds: 'samples,sleep', limit: '2', wait: '10' } });
  await recorder.call('listUserChanges', { path, query: { limit: '2' } });
  await recorder.call('getDigest', { path, query: { from: '2026-03-10', to: '2026-03-10' } });
  await recorder.call('exportSnapshot', { path });
  await recorder.call('getSyncHistory', { path: { run_key: run_id } });
  await recorder.call('listSyncRuns', { query: { user_id, source: 'xml_import', limit: '1' } });
  await recorder.call('listUserSyncRuns', { path, query: { limit: '1' } });
  await recorder.call('listRecentSyncEvents', { path, query: { limit: '1' } });
  await recorder.firstEventOf('streamSyncEvents', { path, query: { replay: '1' } });
  await recorder.firstEventOf('streamAllSyncEvents', { query: { provider: 'apple', replay: '1' } });

  const workouts = await recorder.call('importWorkoutFiles', { path, body: { file: TRACK } });
  await ended(workouts.run_id, 'success');

  const dry = await upload(EXPORT, { dry_run: 'true' });
  await ended(dry.run_id, 'success');
  const confirmed = await recorder.call('confirmImportRun', { path: { run_id: dry.run_id } });
  await ended(confirmed.run_id, 'success');

  const partial = await upload(IN_PART);
  await ended(partial.run_id, 'partial');
  const state = () => recorder.service.pool.query('select state from import_file where id = $1', [partial.task_id]);
  await expect.poll(async () => (await state()).rows[0]?.state).toBe('partial');
  const retried = await recorder.call('retrySyncRun', { path: { run_id: partial.run_id } });
  await ended(retried.run_id, 'partial');

  const address = await recorder.call('createUploadAddress', {
    path,
    body: { filename: 'export.xml', expiration_seconds: 300, max_file_size: 52_428_800 },
  });
  const token = new URL(address.upload_url).searchParams.get('token') ?? '';
  recorder.service.watch.know(token);
  await recorder.call('uploadToAddress', { query: { token }, body: { ...address.form_fields, file: EXPORT } });
}

async function recordPush(recorder: Recorder, user_id: string): Promise<void> {
  const path = { user_id };
  await recorder.call('pushDeviceData', { path, body: firstPushOfDocs() });
  // Waits for the end of the push, so that its events do not appear between the files' events.
  const stored = () =>
    recorder.service.pool.query("select 1 from sync_run where source = 'sdk' and ended_at is not null");
  await expect.poll(async () => (await stored()).rowCount).toBe(1);
  const { rows } = await recorder.service.pool.query<{ id: string }>('select id from developer limit 1');
  const issued = await recorder.service.accounts.userTokens.issue(user_id, {
    kind: 'developer',
    developerId: rows[0]?.id ?? '',
  });
  recorder.deviceToken = issued?.access_token ?? '';
  recorder.service.watch.know(recorder.deviceToken);
  await recorder.call('getPhoneState', { path });
  const event = { eventType: 'historical_data_type_sync_end', timestamp: '2026-03-10T20:16:00Z' };
  const ended = {
    ...event,
    dataType: 'HKQuantityTypeIdentifierStepCount',
    success: true,
    recordCount: 1,
    durationMs: 840,
  };
  await recorder.call('sendDeviceLogs', { path, body: { sdkVersion: '0.6.0', provider: 'apple', events: [ended] } });
}

/** Returns the push of an iPhone that docs/push.md explains. */
function firstPushOfDocs(): unknown {
  const [, body = ''] = /^```json\n(\{\n.*?)^```/ms.exec(readFileSync(join(ROOT, 'docs/push.md'), 'utf8')) ?? [];
  return JSON.parse(body);
}
