import { readFileSync } from 'node:fs';

/** Put in place when healthctl is gathered into one file, beside which no manifest is. */
declare const HEALTHCTL_VERSION: string | undefined;

/** Version of healthctl. */
export const VERSION: string = typeof HEALTHCTL_VERSION === 'string' ? HEALTHCTL_VERSION : versionOfManifest();

function versionOfManifest(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
