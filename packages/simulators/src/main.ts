#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { MS_PER_MINUTE } from '@healthd/model';
import { eventTargetMethod, type RunningVendor, SIMULATED_VENDORS, type SimulatedVendor } from './vendors.js';

const USAGE = `usage: simulator ${SIMULATED_VENDORS.map(({ id }) => id).join('|')} [options]

Runs a simulated vendor with made-up users on this machine, until you stop it.

  --port <n>          port to listen on; default 8100
  --account <name>    name of a user to sign in as; may be repeated; default demo
  --time-zone <zone>  time zone of the users; default the zone of this machine
  --days <n>          days of history per user; default 90
  --seed <n>          seed of the first user's history, plus one for each further user; default 1
  --density <d>       amount of data: light (default) or full; google only
  --auto-consent      grants every consent immediately, without the consent page

Every 5 minutes the users' data grows, and the vendor notifies subscribers and configured webhooks.
Send POST /control/<method> to control the simulator; an unknown method returns the list of methods.
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

/** Members of `urls` that are not settings. */
const NO_SETTING = ['origin', 'certificates', 'metadataHost', 'control'];

async function run(
  { id, name, settingsPrefix, start: startVendor }: SimulatedVendor,
  { accounts, timeZone, days, seed, density, ...start }: Options,
) {
  const simulator = await startVendor(start);
  for (const [n, account] of accounts.entries()) {
    await simulator.control.addAccount({ id: account, timeZone });
    await simulator.control.seedHistory(account, { seed: seed + n, days, density });
  }
  const { origin } = simulator.urls;
  console.log(`Simulated ${name} at ${origin}. Users: ${accounts.join(', ')}.
To connect the service to it, use these settings:

${settingLines(simulator, settingsPrefix).join('\n')}`);
  const method = eventTargetMethod(simulator.control);
  if (method !== undefined) {
    console.log(`
To receive events, set the webhook URL: POST ${origin}/control/${method}
[{"url": "<URL of the service>/api/v1/providers/${id}/webhooks"}]`);
  }
  liveOn(simulator, accounts);
}

function settingLines({ urls, client, settings = {}, projectNumber }: RunningVendor, prefix: string): string[] {
  const addresses = Object.entries(urls).filter(([name]) => !NO_SETTING.includes(name));
  const lines = [
    `${prefix}_CLIENT_ID=${client.id}`,
    `${prefix}_CLIENT_SECRET=${client.secret}`,
    ...addresses.map(([name, url]) => `${prefix}_${screaming(name)}_URL=${url}`),
    ...Object.entries(settings).map(([name, value]) => `${prefix}_${name}=${value}`),
  ];
  if (projectNumber !== undefined) lines.push(`${prefix}_PROJECT_ID=${projectNumber}`);
  if (urls.metadataHost !== undefined) lines.push(`GCE_METADATA_HOST=${urls.metadataHost}`);
  return lines;
}

/** Converts camel case such as `userInfo` to `USER_INFO`. */
function screaming(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
}

/** Keeps generating data until the program is stopped. */
function liveOn(simulator: RunningVendor, accounts: readonly string[]): void {
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

const [name = '', ...args] = process.argv.slice(2);
const vendor = SIMULATED_VENDORS.find(({ id }) => id === name);
try {
  if (!vendor || args.includes('--help')) {
    console.log(USAGE);
    process.exitCode = args.includes('--help') || name === '--help' ? 0 : 2;
  } else await run(vendor, readOptions(args));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
