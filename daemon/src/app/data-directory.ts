import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where data live unless DATA_DIR says otherwise. Root's home is closed to the account that Postgres runs under when
 * healthd runs as root, so root gets the place for the data of services.
 */
export function defaultDataDirectory(env: NodeJS.ProcessEnv): string {
  if (process.getuid?.() === 0) return '/var/lib/healthd';
  return join(env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share'), 'healthd');
}
