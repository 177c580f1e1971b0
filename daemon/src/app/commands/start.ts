import { openDatabase } from '../../platform/database/index.js';
import { compose } from '../compose.js';
import { hasSealedValues } from '../key-check.js';
import { loadKeys } from '../keys.js';
import { createLog } from '../log.js';
import type { Role } from '../role.js';
import { environment } from '../settings/environment.js';
import { readSettings } from '../settings/settings.js';
import { announce } from './announce.js';
import { leaveSandbox, startSandbox } from './sandbox.js';
import { saveProfile } from './save-profile.js';
import { Shutdown } from './shutdown.js';

/** Starts the service, which runs until a signal. Rejects if the start fails, after stopping the started parts. */
export async function start(role: Role): Promise<void> {
  const shutdown = new Shutdown();
  try {
    await startService(role, shutdown);
    shutdown.started();
  } catch (error) {
    if (shutdown.interrupted.aborted) await shutdown.end(0);
    await shutdown.undo();
    throw error;
  }
}

async function startService(role: Role, shutdown: Shutdown): Promise<void> {
  const baseSettings = readSettings(environment());
  const log = createLog(baseSettings);
  const database = await openDatabase(baseSettings, {
    signal: shutdown.interrupted,
    onProgress: (line) => console.error(line),
    onRestart: (count) =>
      log.error(
        { event: 'embedded_database_restarted', restart: count },
        'Restarting the embedded database after it ended',
      ),
    onUnexpectedExit: () => {
      log.fatal({ event: 'embedded_database_lost' }, 'Stopping: the embedded database ended repeatedly');
      void shutdown.end(1);
    },
  });
  shutdown.defer(() => database.close());
  shutdown.interrupted.throwIfAborted();
  const keys = await loadKeys(baseSettings, () => hasSealedValues(database.url));
  let settings = baseSettings;
  if (baseSettings.sandbox) {
    const sandbox = await startSandbox(baseSettings, database.url, log);
    shutdown.defer(() => sandbox.stop());
    settings = sandbox.settings;
  } else {
    await leaveSandbox(baseSettings);
  }
  const service = await compose({ settings, keys, database, role, log });
  shutdown.defer(() => service.stop());
  shutdown.interrupted.throwIfAborted();
  const profile = await saveProfile({ settings, service, role });
  announce({ settings, service, embedded: database.embedded, role, profile });
  await service.firstAccount?.shown();
}
