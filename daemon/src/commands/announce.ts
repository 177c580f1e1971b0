import type { Service } from '../compose.js';
import type { EmbeddedPostgres } from '../database/index.js';
import { profilePath } from '../profile.js';
import type { Role } from '../role.js';
import type { Settings } from '../settings.js';

/** Tells the person at the terminal where things are and what to do next. Secrets are shown when they are made, once. */
export function announce(started: {
  settings: Settings;
  service: Service;
  embedded: EmbeddedPostgres | undefined;
  role: Role;
}): void {
  const { settings, service, embedded, role } = started;
  const seconds = (performance.now() / 1000).toFixed(1);
  const lines = ['', `healthd ${role === 'all' ? '' : `(${role}) `}is ready (${seconds} s)`, ''];
  const address = addressOf(settings, service);
  if (role === 'worker') lines.push(`  Probes    ${address}/health/ready`);
  else lines.push(`  Console   ${address}/`, `  API       ${address}/api/v1   documentation: ${address}/docs`);
  lines.push(
    `  Data      ${embedded ? `${settings.dataDir} (embedded Postgres ${embedded.release.split('-')[0]})` : 'the server in DATABASE_URL'}`,
    `  Jobs      ${settings.mongodbUri ? 'MongoDB' : 'in the same Postgres'}`,
    ...(settings.sandbox ? ['  Sandbox   Google Health is simulated: connect a user and choose a made-up person'] : []),
    ...accountLines(started),
  );
  if (embedded) lines.push(...nextLines(settings));
  console.log(lines.join('\n'));
}

function addressOf({ host }: Settings, { port }: Service): string {
  return `http://${host === '0.0.0.0' || host === '127.0.0.1' ? 'localhost' : host}:${port}`;
}

function nextLines({ sandbox, providers }: Settings): string[] {
  const hasVendor = sandbox || Object.values(providers).some(({ clientId }) => clientId !== undefined);
  return [
    '',
    'Next, in another terminal:',
    '  npm run demo                                a user with a year of data',
    '  npm run -s healthctl -- users create        a user of your own',
    ...(hasVendor ? [] : ['', 'SANDBOX=true npm start adds a simulated vendor that users can be connected to.']),
    '',
    'Ctrl-C stops everything, the database included.',
  ];
}

function accountLines({ settings, service }: { settings: Settings; service: Service }): string[] {
  const first = service.firstAccount;
  if (!first) return [];
  const lines = ['', 'First start: this is shown once.', `  Account   ${first.email}`];
  if (first.passwordGenerated) lines.push(`  Password  ${first.password}`);
  lines.push(`  API key   ${first.apiKey}   (header ${service.apiKeyHeader})`);
  if (settings.databaseUrl === undefined) lines.push(`  healthctl is logged in: ${profilePath()}`);
  return lines;
}
