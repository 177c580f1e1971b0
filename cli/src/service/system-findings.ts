import { ApiError } from '@healthd/client';
import { getSystemStatus } from '@healthd/contract';
import { MS_PER_MINUTE } from '@healthd/model';
import type { SystemStatus } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { bytesText, countText, durationText, numberText } from '../ui/amounts.js';
import { DISK_ADVICE, type Finding, failed, failureFinding, ok, skipped, warning } from './findings.js';

/** Feed delay that counts as late. Changes appear within a second, unless the database is overloaded. */
const LATE_CHANGE_MS = MS_PER_MINUTE;

/** Largest harmless clock difference. Larger differences noticeably shift the times of jobs and tokens. */
const CLOCK_SKEW_SECONDS = 30;
/** Minimum free space. With less space, a large export may fill the disk. */
const SCARCE_BYTES = 1024 ** 3;
/** Job delay that counts as late. Due jobs start within seconds, unless the workers are overloaded. */
const LATE_MS = 10 * MS_PER_MINUTE;

/** Checks the state of the service and its dependencies. @param clockAheadMs how far the service's clock is ahead */
export async function systemFindings(cli: Cli, clockAheadMs: number): Promise<Finding[]> {
  try {
    const client = await cli.client();
    const status = await client.call(getSystemStatus, { signal: cli.signal });
    return judgeSystem(status, Date.now() + clockAheadMs);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      return [skipped('system', 'this version of the service does not report its status')];
    return [failureFinding('system', error)];
  }
}

/** Returns the findings on a state. @param nowMs time of the service's clock */
export function judgeSystem(status: SystemStatus, nowMs: number): Finding[] {
  const { version, node_version: node, postgres_version: postgres } = status;
  return [
    ok('versions', `healthd ${version}, Node.js ${node}, PostgreSQL ${postgres}`),
    databaseClockFinding(status),
    ...diskFindings(status),
    lagFinding(status, nowMs),
    secretsFinding(status),
    ...feedFindings(status, nowMs),
    ...repairFindings(status),
    ...status.unproven_deliveries.map(deliveriesFinding),
  ];
}

function databaseClockFinding({ database_clock_ahead_seconds: ahead }: SystemStatus): Finding {
  if (Math.abs(ahead) <= CLOCK_SKEW_SECONDS) return ok('db clock', 'the database clock agrees with the service’s');
  const found = `the database clock is ${durationText(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the service’s`;
  return warning('db clock', found, 'Synchronize both clocks with a time server (NTP).');
}

function diskFindings({ disks }: SystemStatus): Finding[] {
  const uses = new Map<string, { free: number; names: string[] }>();
  for (const { holds, free_bytes: free, capacity_bytes: total } of disks) {
    const room = `${bytesText(free)} of ${bytesText(total)} free`;
    const names = [...(uses.get(room)?.names ?? []), holds === 'uploads' ? 'uploads' : 'the database'];
    uses.set(room, { free, names });
  }
  return [...uses].map(([room, { free, names }]) => {
    const found = `${room} for ${names.join(' and ')}`;
    return free < SCARCE_BYTES ? warning('room', found, DISK_ADVICE) : ok('room', found);
  });
}

function lagFinding({ job_store: store, jobs }: SystemStatus, nowMs: number): Finding {
  if (!store.is_up) return failed('job lag', 'the job store does not respond', 'Start it again.', 'jobs_away');
  const waiting = jobs.reduce((sum, job) => sum + job.waiting, 0);
  const [oldest] = jobs
    .flatMap(({ name, oldest_waiting_since: since }) => (since === null ? [] : [{ name, sinceMs: Date.parse(since) }]))
    .toSorted((a, b) => a.sinceMs - b.sinceMs);
  if (!oldest) return ok('job lag', 'no jobs are waiting');
  const lagMs = Math.max(0, nowMs - oldest.sinceMs);
  const found = `${countText(waiting, 'job')} due; the oldest (${oldest.name}) has waited ${durationText(lagMs / 1_000)}`;
  if (lagMs < LATE_MS) return ok('job lag', found);
  return warning('job lag', found, 'Start another worker: healthd --role worker. Or set JOB_CONCURRENCY higher.');
}

/** Checks that committed changes reach the feed's readers. Skipped for an older service that reports no feed. */
function feedFindings({ feed }: Partial<Pick<SystemStatus, 'feed'>>, nowMs: number): Finding[] {
  if (!feed) return [];
  const { is_on: isOn, waiting, oldest_waiting_since: since } = feed;
  if (feed.has_other_setting) {
    const found = `FEED=${isOn ? 'off' : 'on'} in this process, but another process has turned the feed ${isOn ? 'on' : 'off'}`;
    const advice = 'Set the same FEED for all processes that serve the API, and restart them.';
    return [failed('feed', found, advice, 'feed_setting_differs')];
  }
  if (!isOn) return [ok('feed', 'off: changes are not recorded')];
  if (since === null) return [ok('feed', 'on, and contains all changes')];
  const lagMs = Math.max(0, nowMs - Date.parse(since));
  const found = `on; ${countText(waiting, 'change')} not in the feed yet; the oldest has waited ${durationText(lagMs / 1_000)}`;
  if (lagMs < LATE_CHANGE_MS) return [ok('feed', found)];
  return [warning('feed', found, 'See the service log for feed_delayed, and check the load of the database.')];
}

/** Reports unfinished repairs after an upgrade. An older service does not report repairs. */
function repairFindings({ repairs = [] }: Partial<Pick<SystemStatus, 'repairs'>>): Finding[] {
  return repairs
    .filter(({ finished_at: finishedAt }) => finishedAt === null)
    .map(({ title, users_done: done, users_total: total, users_failed: failedUsers }) => {
      const found = `${title}: ${numberText(done)} of ${countText(total, 'user')}`;
      if (failedUsers === 0) return ok('repairs', found);
      const advice = 'See the service log for repair_failed. The service retries these users.';
      return warning('repairs', `${found}; ${numberText(failedUsers)} failed`, advice);
    });
}

function secretsFinding({ sealed }: SystemStatus): Finding {
  const valuesOf = (some: SystemStatus['sealed']) => some.reduce((sum, { values }) => sum + values, 0);
  const lost = sealed.filter(({ is_known }) => !is_known);
  if (lost.length > 0) {
    const found = `${countText(valuesOf(lost), 'value')} cannot be decrypted: encrypted with the key ${lost.map(({ key_id }) => key_id).join(', ')}`;
    const advice =
      'Set ENCRYPTION_KEY to the newer key, a comma, and the missing key. If the missing key is lost: healthd admin discard-sealed';
    return failed('secrets', found, advice, 'key_missing');
  }
  const older = valuesOf(sealed.filter(({ is_current }) => !is_current));
  const rest = older === 0 ? '' : `; ${older} of them with an older key, which must stay in ENCRYPTION_KEY`;
  return ok('secrets', `${countText(valuesOf(sealed), 'encrypted value')}, all can be decrypted${rest}`);
}

/** Reports deliveries that were rejected because of a missing setting, and how many connections may lack data. */
function deliveriesFinding(vendor: SystemStatus['unproven_deliveries'][number]): Finding {
  const { provider, setting, address, refused, connections_to_backfill: connections } = vendor;
  const count = countText(refused, 'delivery', 'deliveries');
  if (!vendor.is_set) {
    const found = `${provider}: ${setting} is not set, so deliveries are rejected; ${count} so far`;
    const advice = `Set ${setting} to a long random value, enter ${address} at the vendor, and restart the service.`;
    return failed('deliveries', found, advice, 'webhook_proof_unset');
  }
  const found = `${provider}: ${count} rejected since ${vendor.first_refused_on}, while ${setting} was not set; data of ${countText(connections, 'connection')} may be missing`;
  return warning('deliveries', found, `For each user: healthctl sync historical <user> --provider ${provider}`);
}
