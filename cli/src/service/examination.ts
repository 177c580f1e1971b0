import { ApiError, UnreachableError } from '@healthd/client';
import { currentDeveloper, listUsers, previewUpgrade } from '@healthd/contract';
import type { Cli } from '../cli.js';
import { failureOf } from '../failure.js';
import { countText } from '../ui/amounts.js';
import { VERSION } from '../version.js';
import { DISK_ADVICE, type Finding, failed, failureFinding, ok, skipped, warning } from './findings.js';
import { keyFindings } from './key-findings.js';
import { providerFindings } from './provider-findings.js';
import { runsFinding } from './runs-finding.js';
import { systemFindings } from './system-findings.js';
import { termsFindings } from './terms-findings.js';
import { troubleFindings } from './trouble-findings.js';
import { upgradeText } from './upgrade-text.js';
import { isOlder, newerHealthctl } from './version-skew.js';

const RESPONSE_WITHIN_MS = 10_000;
/** Largest harmless clock difference. Larger differences make tokens expire too early or too late. */
const CLOCK_SKEW_MS = 30_000;

/** Checks the path from here to the data. Skips checks that depend on a failed check. */
export async function* examine(cli: Cli): AsyncGenerator<Finding> {
  const { url, urlOrigin } = await cli.connection();
  yield ok('address', `${url} (${urlOrigin})`);
  const live = await get(cli, `${url}/health/live`);
  if (live instanceof UnreachableError) {
    yield failed('service', `Cannot reach a service at ${url}.`, failureOf(live).hint ?? '', 'unreachable');
    return yield skipped('everything else', 'needs the service');
  }
  const description = await get(cli, `${url}/openapi.json`);
  yield serviceFinding(url, live, description);
  yield* readiness(await get(cli, `${url}/health/ready`));
  yield clockFinding(live);
  const credential = await credentialFinding(cli);
  yield credential;
  const login = await developerFinding(cli);
  yield login;
  if (login.state === 'ok') {
    const aheadMs = clockAheadMs(live) ?? 0;
    yield* await systemFindings(cli, aheadMs);
    yield* await keyFindings(cli, aheadMs);
    yield* await upgradeFindings(cli);
  } else yield skipped('system', 'needs a developer’s login');
  if (credential.state === 'ok') {
    yield await dataFinding(cli);
    yield await runsFinding(cli);
    yield* await troubleFindings(cli);
  } else yield skipped('data', 'needs a credential');
  yield* await providerFindings(cli, addressOf(description));
  if (credential.state === 'ok') yield* await termsFindings(cli);
  yield await consoleFinding(cli, url);
}

interface Probe {
  status: number;
  body: unknown;
  contentType: string;
  serverTimeMs: number;
  localTimeMs: number;
}

async function get(cli: Cli, url: string): Promise<Probe | UnreachableError> {
  const started = Date.now();
  try {
    const signal = AbortSignal.any([cli.signal, AbortSignal.timeout(RESPONSE_WITHIN_MS)]);
    const response = await fetch(url, { signal, redirect: 'manual' });
    const localTimeMs = (started + Date.now()) / 2;
    const text = await response.text();
    cli.debug(`GET ${new URL(url).pathname} ${response.status} ${Date.now() - started} ms`);
    return {
      status: response.status,
      body: parsed(text),
      contentType: response.headers.get('content-type') ?? '',
      serverTimeMs: Date.parse(response.headers.get('date') ?? ''),
      localTimeMs,
    };
  } catch (error) {
    if (cli.signal.aborted) throw error;
    return new UnreachableError(new URL(url).origin, error);
  }
}

function serviceFinding(url: string, live: Probe, description: Probe | UnreachableError): Finding {
  if (live.status !== 200) {
    const advice = 'Another program may be using this URL. Pass the right URL with --url or HEALTHCTL_URL.';
    return failed('service', `/health/live returned ${live.status}`, advice, 'not_healthd');
  }
  const info = description instanceof UnreachableError ? undefined : objectMember(description.body, 'info');
  const version = textMember(info, 'version');
  const found = `runs; API version ${version ?? 'unknown'}, healthctl ${VERSION}`;
  return isOlder(VERSION, version ?? null) ? warning('service', found, newerHealthctl(url)) : ok('service', found);
}

/** Returns the service's own URL, to which vendors redirect users. Undefined if unknown. */
function addressOf(description: Probe | UnreachableError): string | undefined {
  if (description instanceof UnreachableError) return undefined;
  const { servers } = (description.body ?? {}) as { servers?: { url?: unknown }[] };
  const address = servers?.[0]?.url;
  return typeof address === 'string' && URL.canParse(address) ? address : undefined;
}

/** Yields the results of the service's own checks, e.g. of the database and jobs. */
function* readiness(ready: Probe | UnreachableError): Generator<Finding> {
  const advice = 'See the service log; `npm start` prints it.';
  if (ready instanceof UnreachableError) return yield failed('ready', 'timed out', advice, 'not_ready');
  if (textMember(ready.body, 'disk') === 'full') {
    yield failed('disk', 'is full: reads work, but no new data is stored', DISK_ADVICE, 'disk_full');
  }
  const parts = Object.entries(objectMember(ready.body, 'checks') ?? {});
  for (const [name, state] of parts) {
    yield state === 'ok' ? ok(name, 'works') : failed(name, String(state), advice, 'not_ready');
  }
  if (ready.status === 200) {
    if (parts.length === 0) yield ok('ready', 'accepts requests');
    return;
  }
  yield failed('ready', `/health/ready returned ${ready.status}`, advice, 'not_ready');
}

/** Returns how far the service's clock is ahead, by the response's `Date`. Undefined without that header. */
function clockAheadMs({ serverTimeMs, localTimeMs }: Probe): number | undefined {
  return Number.isNaN(serverTimeMs) ? undefined : serverTimeMs - localTimeMs;
}

function clockFinding(live: Probe): Finding {
  const skewMs = clockAheadMs(live);
  if (skewMs === undefined) return skipped('clocks', 'the service sent no Date header');
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= CLOCK_SKEW_MS) return ok('clocks', `agree within ${Math.max(1, seconds)} s`);
  const side = skewMs > 0 ? 'ahead' : 'behind';
  return warning(
    'clocks',
    `the service’s clock is ${seconds} s ${side}`,
    'Synchronize both clocks with a time server (NTP).',
  );
}

async function credentialFinding(cli: Cli): Promise<Finding> {
  const { token, stored, contextName } = await cli.connection();
  const where = token ? 'from HEALTHCTL_TOKEN' : `of context ${contextName ?? '?'}`;
  try {
    await (await cli.client()).call(listUsers, { query: { limit: '1' }, signal: cli.signal });
    const kind = (token ?? stored?.api_key)?.startsWith('sk-') ? 'API key' : 'login';
    return ok('credential', `${kind} ${where} is valid`);
  } catch (error) {
    return failureFinding('credential', error);
  }
}

async function developerFinding(cli: Cli): Promise<Finding> {
  const { token, stored } = await cli.connection();
  const hasLogin = token ? !token.startsWith('sk-') : stored?.refresh_token !== undefined;
  if (!hasLogin) {
    return warning('login', 'no developer is logged in', 'To delete users or manage accounts, run `healthctl login`.');
  }
  try {
    const developer = await (await cli.client()).call(currentDeveloper, { signal: cli.signal });
    return ok('login', developer.email);
  } catch (error) {
    return failureFinding('login', error);
  }
}

async function dataFinding(cli: Cli): Promise<Finding> {
  try {
    const client = await cli.client();
    const query = { limit: '1', sort_by: 'last_synced_at', sort_order: 'desc' } as const;
    const { total, items } = await client.call(listUsers, { query, signal: cli.signal });
    if (total === 0) return ok('data', 'no users yet; run healthctl users create, or `npm run demo`');
    const newest = items[0];
    if (!newest?.last_synced_at) {
      return warning('data', `${countText(total, 'user')}, no data yet`, 'healthctl import export.zip --user <id>');
    }
    return ok('data', `${countText(total, 'user')}; the newest data arrived at ${newest.last_synced_at}`);
  } catch (error) {
    return failureFinding('data', error);
  }
}

async function consoleFinding(cli: Cli, url: string): Promise<Finding> {
  const page = await get(cli, `${url}/`);
  if (page instanceof UnreachableError) return failed('console', 'no response', 'Try again.', 'unreachable');
  if (page.contentType.includes('html')) return ok('console', `${url}/`);
  return warning('console', 'the service does not serve the console', 'Build the console: npm run build.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectMember(value: unknown, name: string): Record<string, unknown> | undefined {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined;
}

function textMember(value: unknown, name: string): string | undefined {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/**
 * Reports how many days, nights, recovery dates and body summaries have a different source than before the upgrade to
 * a single selection rule. Skipped without older data.
 */
async function upgradeFindings(cli: Cli): Promise<Finding[]> {
  try {
    const preview = await (await cli.client()).call(previewUpgrade, { signal: cli.signal });
    if (preview.upgraded_at === null) return [];
    const text = upgradeText(preview);
    const changes = [
      preview.days_changed,
      preview.nights_changed,
      preview.recoveries_changed,
      preview.body_summaries_changed,
    ];
    return changes.every((count) => count === 0)
      ? [ok('selection', text)]
      : [warning('selection', text, 'healthctl priorities preview --upgrade')];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    if (cli.signal.aborted) throw error;
    return [skipped('selection', 'the comparison with the data before the upgrade took too long')];
  }
}
