import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the default of DATA_DIR. If healthd runs as root, Postgres runs under another account, which cannot access
 * root's home. The default for root is therefore the system directory for service data.
 */
export function defaultDataDirectory(env: NodeJS.ProcessEnv): string {
  if (process.getuid?.() === 0) return '/var/lib/healthd';
  return join(env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share'), 'healthd');
}
