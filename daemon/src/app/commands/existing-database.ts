import { existsSync } from 'node:fs';
import { hasInstallation, runningEmbeddedUrl } from '@healthd/embedded-postgres';
import { openDatabase } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import type { Settings } from '../settings/settings.js';

/**
 * Opens the database of an existing installation, for commands that run with or without the service. Never creates an
 * installation, because DATA_DIR may be mistyped.
 * @throws Failure `not_found` if no installation exists
 */
export async function openExistingDatabase(
  settings: Settings,
  options: Parameters<typeof openDatabase>[1] = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => undefined };
  const running = await runningEmbeddedUrl(dataDir);
  if (running !== undefined) return { url: running, close: async () => undefined };
  rejectWithoutInstallation(settings);
  return openDatabase(settings, options);
}

/**
 * Rejects a command if no installation exists. Call before anything creates files in the data directory.
 * @throws Failure `not_found`
 */
export function rejectWithoutInstallation({ databaseUrl, dataDir }: Settings): void {
  if (databaseUrl !== undefined || (existsSync(dataDir) && hasInstallation(dataDir))) return;
  throw new Failure('not_found', `${dataDir} contains no healthd data. Set DATA_DIR to the directory of the service.`);
}
