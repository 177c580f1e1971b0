import { readFileSync } from 'node:fs';

/** Set in the single-file bundle, which has no manifest. */
declare const HEALTHCTL_VERSION: string | undefined;

/** Version of healthctl. */
export const VERSION: string = typeof HEALTHCTL_VERSION === 'string' ? HEALTHCTL_VERSION : versionOfManifest();

function versionOfManifest(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
