import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGoogleSimulator } from '@healthd/simulators';
import { freePort } from '../../support/free-port.js';
import { AMPLE_QUOTA, ampleVendorSettings } from '../../support/simulated-vendor.js';
import { openConnectionFixture } from '../connection-fixture.js';
import { logIn, recordAccounts } from './accounts.js';
import { DELIVERING, recordClouds } from './clouds.js';
import { recordImports } from './imports.js';
import { madeUp, shortened } from './made-up.js';
import { recordReading } from './reading.js';
import { type Recorded, Recorder } from './recorder.js';
import { recordSettings, recordUsers } from './settings.js';

export interface RecordedExamples {
  /** Recordings by operation ID. */
  operations: Record<string, Recorded>;
  /** Error bodies by schema component. */
  errors: Record<string, unknown>;
}

const SERVICE = 'https://health.example.com';
const VENDOR = 'https://vendor.example.com';

/**
 * Starts the complete service with a simulated vendor, calls every operation and records shortened, anonymized
 * responses.
 */
export async function recordExamples(): Promise<RecordedExamples> {
  const folder = await mkdtemp(join(tmpdir(), 'healthd-examples-'));
  const keyFile = join(folder, 'service-account.json');
  const vendor = await startGoogleSimulator({ autoConsent: true, quota: AMPLE_QUOTA });
  await writeFile(keyFile, JSON.stringify(await vendor.control.serviceAccountKey()));
  const port = String(await freePort());
  const settings = {
    ...ampleVendorSettings(vendor),
    CLOUDHEALTH_PROJECT_ID: vendor.projectNumber,
    CLOUDHEALTH_SERVICE_ACCOUNT_FILE: keyFile,
    PORT: port,
    HISTORICAL_SYNC_ON_CONNECT: 'false',
    GARMIN_CLIENT_ID: DELIVERING.clientId,
    GARMIN_CLIENT_SECRET: 'a client secret of no one',
    GARMIN_WEBHOOK_TOKEN: DELIVERING.token,
  };
  const fixture = await openConnectionFixture({ role: 'all', vendor, env: settings });
  try {
    const recorder = new Recorder(fixture.service);
    const own = { [fixture.service.url]: SERVICE, [`http://localhost:${port}`]: SERVICE };
    const origins = { ...own, [new URL(vendor.urls.api).origin]: VENDOR };
    await logIn(recorder);
    await recordAccounts(recorder);
    await recordReading(recorder);
    await recordImports(recorder);
    await recordClouds(recorder, fixture);
    await recordSettings(recorder);
    await recordUsers(recorder);
    const operations = { ...recorder.recorded };
    const errors = await recordErrors(recorder, settings);
    const shown = <T>(example: T) => madeUp(shortened(example), { origins, nowMs: Date.now() }) as T;
    return {
      operations: Object.fromEntries(Object.entries(operations).map(([id, example]) => [id, shown(example)])),
      errors: shown(errors),
    };
  } finally {
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Records an example body of each error type. */
async function recordErrors(recorder: Recorder, settings: Record<string, string>): Promise<Record<string, unknown>> {
  const { service } = recorder;
  const unknownUser = { path: { user_id: crypto.randomUUID() } };
  const misspelt = { body: { firstname: 'Anna', email: 'nobody' } };
  const errors = {
    Error: await recorder.rejectionOf('getUser', unknownUser),
    ValidationError: await recorder.rejectionOf('createUser', misspelt),
  };
  await service.restart({ ...settings, ERROR_FORMAT: 'compat' });
  const compat = { CompatError: await recorder.rejectionOf('createUser', misspelt) };
  await service.pool.query('alter table health_user rename to mislaid');
  const unexpected = { UnexpectedError: await recorder.rejectionOf('listUsers', {}) };
  await service.pool.query('alter table mislaid rename to health_user');
  return { ...errors, ...compat, ...unexpected };
}
