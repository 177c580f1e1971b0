import { compose, type Service } from '../compose.js';
import { openDatabase } from '../database/index.js';
import { loadKeys } from '../keys.js';
import { createLog } from '../log.js';
import { profilePath, writeProfile } from '../profile.js';
import type { Role } from '../role.js';
import { readSettings, type Settings } from '../settings.js';
import { announce } from './announce.js';
import { leaveSandbox, type Sandbox, startSandbox } from './sandbox.js';

/** After this time a stop that hangs is cut off; what was acknowledged is durable anyway. */
const STOP_DEADLINE_SECONDS = 45;

/** Starts the service and stays until a signal ends it. Rejects when the start fails; what had started is stopped. */
export async function start(role: Role): Promise<void> {
  const given = readSettings(process.env);
  const log = createLog(given.logLevel);
  const keys = await loadKeys(given);
  let stopping: (() => Promise<never>) | undefined;
  const database = await openDatabase(given, {
    onProgress: (line) => console.error(line),
    onUnexpectedExit: () => {
      log.fatal('the embedded database has ended; stopping');
      void stopping?.();
    },
  });
  let service: Service;
  let sandbox: Sandbox | undefined;
  let settings = given;
  try {
    if (given.sandbox) {
      sandbox = await startSandbox(given, database.url, log);
      settings = sandbox.settings;
    } else {
      await leaveSandbox(given);
    }
    service = await compose({ settings, keys, database, role, log });
  } catch (error) {
    await sandbox?.stop();
    await database.close();
    throw error;
  }
  stopping = stopOnce(async () => {
    await service.stop();
    await sandbox?.stop();
    await database.close();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopping?.());
  await keepProfile(settings, service);
  announce({ settings, service, embedded: database.embedded, role });
}

/** Stops once, however many signals come; the second Ctrl-C of an impatient person ends the wait, not the data. */
function stopOnce(stop: () => Promise<void>): () => Promise<never> {
  let begun = false;
  return async () => {
    if (begun) process.exit(130);
    begun = true;
    console.error('Stopping; work in hand is finished or goes on at the next start.');
    setTimeout(() => process.exit(1), STOP_DEADLINE_SECONDS * 1000).unref();
    let code = 0;
    await stop().catch((error: unknown) => {
      console.error(error);
      code = 1;
    });
    process.exit(code);
  };
}

async function keepProfile(settings: Settings, { firstAccount, apiKeyHeader, port }: Service): Promise<void> {
  if (!firstAccount || settings.databaseUrl !== undefined) return;
  await writeProfile(profilePath(), {
    url: `http://localhost:${port}`,
    api_key: firstAccount.apiKey,
    refresh_token: firstAccount.refreshToken,
    developer_email: firstAccount.email,
    api_key_header: apiKeyHeader,
  });
}
