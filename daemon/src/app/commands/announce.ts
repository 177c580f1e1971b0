import type { EmbeddedPostgres } from '@healthd/embedded-postgres';
import { PROVIDER_NAMES } from '@healthd/model';
import type { Service } from '../compose.js';
import { healthctlFile } from '../healthctl-file.js';
import { USUAL_METRICS_PORT } from '../listen.js';
import { logFilePath } from '../log.js';
import type { Role } from '../role.js';
import { serviceAddress } from '../service-address.js';
import { environment } from '../settings/environment.js';
import { connectableProviders } from '../settings/provider-settings.js';
import type { Settings } from '../settings/settings.js';
import { SETTINGS_TABLE } from '../settings/settings-table.js';
import type { SavedProfile } from './save-profile.js';

/** Prints URLs, paths and next steps on the terminal. Shows new secrets once. */
export function announce(started: {
  settings: Settings;
  service: Service;
  embedded: EmbeddedPostgres | undefined;
  role: Role;
  profile: SavedProfile;
}): void {
  const { settings, service, embedded, role } = started;
  const seconds = (performance.now() / 1000).toFixed(1);
  const lines = ['', `healthd ${role === 'all' ? '' : `(${role}) `}is ready (${seconds} s)`, ''];
  const address = serviceAddress(settings.host, service.port);
  if (role === 'worker') lines.push(`  Probes    ${address}/health/ready`);
  else lines.push(`  Console   ${address}/`, `  API       ${address}/api/v1   documentation: ${address}/docs`);
  if (role !== 'worker' && healthctlFile() !== undefined) {
    lines.push(`  healthctl ${address}/healthctl.mjs   one file, for any machine with Node 20 or later`);
  }
  lines.push(
    `  Data      ${embedded ? `${settings.dataDir} (embedded Postgres ${embedded.release.split('-')[0]})` : 'the server in DATABASE_URL'}`,
    `  Jobs      ${settings.mongodbUri ? 'MongoDB' : 'in the same Postgres'}`,
    ...metricsLines(settings, service),
    ...(process.stderr.isTTY ? [`  Log       ${logFilePath(settings)}, with every request`] : []),
    ...(settings.sandbox
      ? [`  Sandbox   simulated: ${vendorNames(settings)}; connect a user and choose a simulated person`]
      : []),
    ...accountLines(started),
    ...profileLines(started),
  );
  if (embedded) lines.push(...nextLines(started));
  console.log(lines.join('\n'));
}

function vendorNames({ providers }: Settings): string {
  return connectableProviders(providers)
    .map((id) => PROVIDER_NAMES[id])
    .join(', ');
}

/** Returns the line about metrics, which is printed only if the usual port was taken. */
function metricsLines({ host, metricsPort: configuredPort }: Settings, { metricsPort }: Service): string[] {
  if (metricsPort === undefined || configuredPort !== undefined || metricsPort === USUAL_METRICS_PORT) return [];
  return [`  Metrics   ${serviceAddress(host, metricsPort)}/metrics   (port ${USUAL_METRICS_PORT} is taken)`];
}

function nextLines({
  settings: { sandbox, providers },
  service: { port },
  profile,
}: {
  settings: Settings;
  service: Service;
  profile: SavedProfile;
}): string[] {
  const hasVendor = sandbox || Object.values(providers).some(({ clientId }) => clientId !== undefined);
  const demo = `${String(port) === SETTINGS_TABLE.port.default ? '' : `PORT=${port} `}npm run demo`;
  const healthctl = `npm run -s healthctl -- ${contextOption(profile)}users create`;
  const width = Math.max(42, healthctl.length) + 2;
  return [
    '',
    'Next, in another terminal:',
    `  ${demo.padEnd(width)}a user with a year of data`,
    `  ${healthctl.padEnd(width)}your own user`,
    ...(hasVendor
      ? []
      : [
          '',
          'SANDBOX=true npm start also simulates every vendor, so that you can connect users without vendor accounts.',
        ]),
    '',
    'Ctrl-C stops everything, the database included.',
  ];
}

/** Returns the option that makes healthctl call this service instead of its default service. */
function contextOption({ context, isCurrent }: SavedProfile): string {
  return context === undefined || isCurrent ? '' : `--context ${context} `;
}

function accountLines({ service }: { service: Service }): string[] {
  const first = service.firstAccount;
  if (!first) return [];
  const lines = ['', 'First start. These credentials are shown only once:', `  Account   ${first.email}`];
  if (first.passwordGenerated) lines.push(`  Password  ${first.password}`);
  lines.push(`  API key   ${first.apiKey}   (header ${service.apiKeyHeader})`);
  return lines;
}

function profileLines(started: { settings: Settings; service: Service; profile: SavedProfile }): string[] {
  const { path, context, isCurrent, formerUrl, inUse, problem } = started.profile;
  const address = serviceAddress(started.settings.host, started.service.port);
  if (problem !== undefined) {
    return [
      ...(started.service.firstAccount ? [] : ['']),
      `  healthctl is not logged in. ${problem}.`,
      `            Repair the file or move it away, then: ${environment().npm_lifecycle_event ? 'npm run -s healthctl --' : 'healthctl'} login --url ${address}`,
    ];
  }
  if (inUse !== undefined) {
    return [
      '',
      `  healthctl still calls ${inUse.url} (context ${inUse.name}), because that URL responds.`,
      `            This service is stored as context ${context}: pass --context ${context}`,
    ];
  }
  if (formerUrl !== undefined) {
    return [
      '',
      `  healthctl now calls this service at ${address} (context ${context}), because ${formerUrl} does not respond`,
    ];
  }
  if (!started.service.firstAccount || context === undefined) return [];
  return [`  healthctl is logged in: ${path}${isCurrent ? '' : ` (with --context ${context})`}`];
}
