#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { MS_PER_MINUTE } from '@healthd/model';
import { startGoogleSimulator } from './google/index.js';
import { startWhoopSimulator } from './whoop/index.js';

const USAGE = `usage: simulator google|whoop [options]

Runs a simulated vendor on this machine, with made-up people, until it is stopped.

  --port <n>          default 8100
  --account <name>    a person to sign in as; may be repeated; default demo
  --time-zone <zone>  where they live, default the zone of this machine
  --days <n>          days of history for each, default 90
  --seed <n>          seed of the first one's history; the next ones count on; default 1
  --density <d>       light (default) or full; google only
  --auto-consent      allows everything at once instead of showing the consent page

Every 5 minutes the people have lived on, and whoever is subscribed, or set as webhook, hears of it.
POST /control/<method> drives it; a request to a method that does not exist lists them.
`;

const GROWTH_MS = 5 * MS_PER_MINUTE;

interface Options {
  port: number;
  accounts: string[];
  timeZone: string;
  days: number;
  seed: number;
  density: 'light' | 'full';
  autoConsent: boolean;
}

function readOptions(args: string[]): Options {
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
  return {
    port: Number(values.port),
    accounts: values.account,
    timeZone: values['time-zone'],
    days: Number(values.days),
    seed: Number(values.seed),
    density: values.density === 'full' ? 'full' : 'light',
    autoConsent: values['auto-consent'],
  };
}

async function runGoogle({ accounts, timeZone, days, seed, density, ...start }: Options): Promise<void> {
  const simulator = await startGoogleSimulator(start);
  for (const [n, id] of accounts.entries()) {
    await simulator.control.addAccount({ id, timeZone });
    await simulator.control.seedHistory(id, { seed: seed + n, days, density });
  }
  const { urls, client } = simulator;
  console.log(`A simulated cloud health service listens on ${urls.origin}. People: ${accounts.join(', ')}.
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
  liveOn(simulator, accounts);
}

async function runWhoop({ accounts, timeZone, days, seed, ...start }: Options): Promise<void> {
  const simulator = await startWhoopSimulator(start);
  for (const [n, id] of accounts.entries()) {
    await simulator.control.addAccount({ id, timeZone });
    await simulator.control.seedHistory(id, { seed: seed + n, days });
  }
  const { urls, client } = simulator;
  console.log(`A simulated WHOOP listens on ${urls.origin}. People: ${accounts.join(', ')}.
Settings of the service that is to connect to it:

WHOOP_CLIENT_ID=${client.id}
WHOOP_CLIENT_SECRET=${client.secret}
WHOOP_AUTHORIZE_URL=${urls.authorize}
WHOOP_TOKEN_URL=${urls.token}
WHOOP_API_URL=${urls.api}

Its webhook is set with: POST ${urls.origin}/control/setWebhook
[{"url": "<address of the service>/api/v1/providers/whoop/webhooks"}]`);
  liveOn(simulator, accounts);
}

/** The people live on until the program is stopped. */
function liveOn(
  simulator: { control: { growHistory(id: string): Promise<unknown> }; close(): Promise<void> },
  accounts: readonly string[],
): void {
  const growth = setInterval(() => {
    for (const id of accounts) void simulator.control.growHistory(id);
  }, GROWTH_MS);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      clearInterval(growth);
      void simulator.close();
    });
  }
}

const VENDORS: Readonly<Record<string, (options: Options) => Promise<void>>> = { google: runGoogle, whoop: runWhoop };

const [name = '', ...args] = process.argv.slice(2);
const run = Object.hasOwn(VENDORS, name) ? VENDORS[name] : undefined;
try {
  if (run === undefined || args.includes('--help')) {
    console.log(USAGE);
    process.exitCode = args.includes('--help') || name === '--help' ? 0 : 2;
  } else await run(readOptions(args));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
