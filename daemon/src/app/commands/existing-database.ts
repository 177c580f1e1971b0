import { existsSync } from 'node:fs';
import { hasInstallation, runningEmbeddedUrl } from '@healthd/embedded-postgres';
import { openDatabase } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import type { Settings } from '../settings/settings.js';

/**
 * The database of a service that has been started before, for commands beside it or without it. Maintenance must not
 * set up a new installation when DATA_DIR is mistyped.
 * @throws Failure `not_found` when there is none
 */
export async function openExistingDatabase(
  settings: Settings,
  options: Parameters<typeof openDatabase>[1] = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => undefined };
  const running = await runningEmbeddedUrl(dataDir);
  if (running !== undefined) return { url: running, close: async () => undefined };
  refuseWithoutInstallation(settings);
  return openDatabase(settings, options);
}

/** @throws Failure `not_found`; call it before anything that would create files in the data directory */
export function refuseWithoutInstallation({ databaseUrl, dataDir }: Settings): void {
  if (databaseUrl !== undefined || (existsSync(dataDir) && hasInstallation(dataDir))) return;
  throw new Failure('not_found', `${dataDir} holds no data of healthd. Set DATA_DIR to the directory of the service.`);
}
