#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { MS_PER_MINUTE } from '@healthd/model';
import { startGoogleSimulator } from './google/index.js';

const USAGE = `usage: simulator google [options]

Runs a simulated cloud health service on this machine, with made-up people, until it is stopped.

  --port <n>          default 8100
  --account <name>    a person to sign in as; may be repeated; default demo
  --time-zone <zone>  where they live, default the zone of this machine
  --days <n>          days of history for each, default 90
  --seed <n>          seed of the first one's history; the next ones count on; default 1
  --density <d>       light (default) or full
  --auto-consent      allows everything at once instead of showing the consent page

Every 5 minutes the people have lived on, and subscribers hear of it.
POST /control/<method> drives it; a request to a method that does not exist lists them.
`;

const GROWTH_MS = 5 * MS_PER_MINUTE;

async function runGoogle(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8100' },
      account: { type: 'string', multiple: true, default: ['demo'] },
      'time-zone': { type: 'string', default: Intl.DateTimeFormat().resolvedOptions().timeZone },
      days: { type: 'string', default: '90' },
      seed: { type: 'string', default: '1' },
      density: { type: 'string', default: 'light' },
      'auto-consent': { type: 'boolean', default: false },
    },
  });
  const simulator = await startGoogleSimulator({ port: Number(values.port), autoConsent: values['auto-consent'] });
  const density = values.density === 'full' ? 'full' : 'light';
  for (const [n, id] of values.account.entries()) {
    await simulator.control.addAccount({ id, timeZone: values['time-zone'] });
    await simulator.control.seedHistory(id, { seed: Number(values.seed) + n, days: Number(values.days), density });
  }
  const growth = setInterval(() => {
    for (const id of values.account) void simulator.control.growHistory(id);
  }, GROWTH_MS);
  const { urls, client } = simulator;
  console.log(`A simulated cloud health service listens on ${urls.origin}. People: ${values.account.join(', ')}.
Settings of the service that is to connect to it:

CLOUDHEALTH_CLIENT_ID=${client.id}
CLOUDHEALTH_CLIENT_SECRET=${client.secret}
CLOUDHEALTH_AUTHORIZE_URL=${urls.authorize}
CLOUDHEALTH_TOKEN_URL=${urls.token}
CLOUDHEALTH_REVOKE_URL=${urls.revoke}
CLOUDHEALTH_USER_INFO_URL=${urls.userInfo}
CLOUDHEALTH_API_URL=${urls.api}
CLOUDHEALTH_KEYSET_URL=${urls.keyset}
CLOUDHEALTH_PROJECT_ID=${simulator.projectNumber}
GCE_METADATA_HOST=${urls.metadataHost}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      clearInterval(growth);
      void simulator.close();
    });
  }
}

const [name, ...args] = process.argv.slice(2);
try {
  if (name !== 'google' || args.includes('--help')) {
    console.log(USAGE);
    process.exitCode = args.includes('--help') || name === '--help' ? 0 : 2;
  } else await runGoogle(args);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
