import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the default of DATA_DIR. Root's home is not accessible for the account that runs Postgres if healthd runs as
 * root, so root uses the system directory for service data.
 */
export function defaultDataDirectory(env: NodeJS.ProcessEnv): string {
  if (process.getuid?.() === 0) return '/var/lib/healthd';
  return join(env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share'), 'healthd');
}
