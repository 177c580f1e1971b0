import { groupFailedKinds, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import type { DiagnosisCause, DiagnosisRemedy, DiagnosisSeverity } from '@healthd/schemas';
import type { ProviderFacts } from './provider-facts.js';

export interface Verdict {
  cause: DiagnosisCause;
  severity: DiagnosisSeverity;
  remedy: DiagnosisRemedy;
  /** Start of the problem, if known. */
  since: Date | undefined;
  /** Time of the next automatic attempt. */
  nextTryAt: Date | undefined;
  /** Details of the cause: data types, an error code, or a run. */
  details: readonly string[];
}

/** Time without newer data after which data counts as missing. Most devices deliver within a day. */
const QUIET_MS = 2 * MS_PER_DAY;
/** Time without a push after which a phone counts as silent. Apps push when they are opened, at least daily. */
export const PHONE_SILENT_MS = 2 * MS_PER_DAY;
/** Time after which a waiting run is reported. */
const WAITING_MS = 10 * MS_PER_MINUTE;
/** Time after a successful read for which the vendor counts as responding. */
const RESPONDING_MS = 26 * MS_PER_HOUR;

/** Diagnoses one provider of one user. The first matching cause is the diagnosis. */
export function verdictOf(facts: ProviderFacts, now: Date): Verdict {
  for (const find of FINDERS) {
    const found = find(facts, now);
    if (found) return { since: undefined, nextTryAt: undefined, details: [], ...found };
  }
  return {
    cause: 'receiving',
    severity: 'ok',
    remedy: 'none',
    since: undefined,
    nextTryAt: facts.nextPollAt,
    details: [],
  };
}

type Found = Pick<Verdict, 'cause' | 'severity' | 'remedy'> & Partial<Verdict>;
type Finder = (facts: ProviderFacts, now: Date) => Found | undefined;

const FINDERS: readonly Finder[] = [
  neverConnected,
  ended,
  switchedOff,
  notLinked,
  quotaSpent,
  vendorFailing,
  scopeMissing,
  webhookSilent,
  runWaiting,
  phoneSilent,
  notPlaced,
  archived,
  nothingRecorded,
  zoneUnknown,
];

function neverConnected({ connection, lastDataAt, openRun, canConnect }: ProviderFacts): Found | undefined {
  if (connection || lastDataAt || openRun) return undefined;
  return {
    cause: 'never_connected',
    severity: 'attention',
    remedy: canConnect ? 'send_connect_link' : 'open_phone_app',
  };
}

function ended({ connection, canConnect }: ProviderFacts): Found | undefined {
  if (!connection || connection.status === 'active') return undefined;
  const { statusReason, failingSince, updatedAt } = connection;
  const byHand = statusReason === 'user_disconnected' || statusReason === 'push_allowed';
  return {
    cause: byHand ? 'disconnected' : 'consent_ended',
    severity: byHand ? 'attention' : 'problem',
    remedy: canConnect && connection.consentedAt !== undefined ? 'send_connect_link' : 'open_phone_app',
    since: failingSince ?? updatedAt,
    details: statusReason === undefined ? [] : [statusReason],
  };
}

function switchedOff({ connection, isEnabled, isConfigured }: ProviderFacts): Found | undefined {
  if (!connection?.hasTokens) return undefined;
  if (!isConfigured) return { cause: 'provider_not_configured', severity: 'problem', remedy: 'set_credentials' };
  if (!isEnabled) return { cause: 'provider_disabled', severity: 'problem', remedy: 'enable_provider' };
  return undefined;
}

/**
 * Detects an account without health data, for which the vendor rejects every read. The setup works, and the user can
 * fix the account.
 */
function notLinked({ connection, nextPollAt }: ProviderFacts): Found | undefined {
  if (!connection?.hasTokens || connection.accountState !== 'not_linked') return undefined;
  return {
    cause: 'not_linked',
    severity: 'attention',
    remedy: 'set_up_account',
    since: connection.failingSince ?? connection.consentedAt,
    nextTryAt: nextPollAt,
  };
}

function quotaSpent({ openRun }: ProviderFacts): Found | undefined {
  if (openRun?.retryReason?.startsWith('rate_limited') !== true) return undefined;
  return {
    cause: 'quota_spent',
    severity: 'attention',
    remedy: 'none',
    since: openRun.createdAt,
    nextTryAt: openRun.nextTryAt,
    details: [openRun.runId],
  };
}

function vendorFailing({
  connection,
  failingDataTypes,
  dataTypeCount,
  openRun,
  nextPollAt,
}: ProviderFacts): Found | undefined {
  const isAtWork = openRun !== undefined && openRun.retryReason === undefined;
  if (failingDataTypes.length === 0 && (!connection?.failingSince || isAtWork)) return undefined;
  const starts = [connection?.failingSince, ...failingDataTypes.map(({ since }) => since)].filter(
    (at) => at !== undefined,
  );
  return {
    cause: 'vendor_failing',
    severity: 'problem',
    remedy: connection?.hasTokens ? 'sync_now' : 'none',
    since: starts.length > 0 ? new Date(Math.min(...starts.map(Number))) : undefined,
    nextTryAt: openRun?.nextTryAt ?? nextPollAt,
    details:
      failingDataTypes.length > 0
        ? groupFailedKinds(failingDataTypes, dataTypeCount ?? 0)
        : [connection?.lastError ?? 'unknown'],
  };
}

function scopeMissing({ missingDataTypes, connection }: ProviderFacts): Found | undefined {
  if (missingDataTypes.length === 0) return undefined;
  return {
    cause: 'scope_missing',
    severity: 'attention',
    remedy: 'send_connect_link',
    since: connection?.consentedAt,
    details: missingDataTypes,
  };
}

function webhookSilent({ isWebhookStale, connection, nextPollAt }: ProviderFacts): Found | undefined {
  if (!isWebhookStale) return undefined;
  return {
    cause: 'webhook_silent',
    severity: 'attention',
    remedy: 'sync_now',
    since: connection?.lastNotifiedAt ?? connection?.consentedAt,
    nextTryAt: nextPollAt,
  };
}

function runWaiting({ openRun }: ProviderFacts, now: Date): Found | undefined {
  if (!openRun || (openRun.retryReason === undefined && now.getTime() - openRun.createdAt.getTime() < WAITING_MS))
    return undefined;
  return {
    cause: 'run_waiting',
    severity: 'attention',
    remedy: 'none',
    since: openRun.createdAt,
    nextTryAt: openRun.nextTryAt,
    details: openRun.retryReason === undefined ? [openRun.runId] : [openRun.runId, openRun.retryReason],
  };
}

function phoneSilent({ connection, hasPushed }: ProviderFacts, now: Date): Found | undefined {
  if (!hasPushed || !connection || connection.hasTokens) return undefined;
  const seenAt = connection.lastSyncedAt ?? connection.createdAt;
  if (now.getTime() - seenAt.getTime() < PHONE_SILENT_MS) return undefined;
  return { cause: 'phone_silent', severity: 'problem', remedy: 'open_phone_app', since: seenAt };
}

function notPlaced({ unplacedDataTypes }: ProviderFacts): Found | undefined {
  if (unplacedDataTypes.length === 0) return undefined;
  return {
    cause: 'zone_unknown',
    severity: 'attention',
    remedy: 'set_time_zone',
    details: unplacedDataTypes,
  };
}

function archived({ lastDataAt, archivedBefore }: ProviderFacts): Found | undefined {
  if (archivedBefore === undefined || !lastDataAt || lastDataAt.getTime() >= Date.parse(archivedBefore))
    return undefined;
  return { cause: 'archived', severity: 'attention', remedy: 'none', since: lastDataAt, details: [archivedBefore] };
}

function nothingRecorded(
  { connection, lastDataAt, nextPollAt, hasPushed }: ProviderFacts,
  now: Date,
): Found | undefined {
  if (!connection?.hasTokens && !hasPushed) return undefined;
  if (!connection?.lastSyncedAt || now.getTime() - connection.lastSyncedAt.getTime() > RESPONDING_MS) return undefined;
  if (lastDataAt && now.getTime() - lastDataAt.getTime() < QUIET_MS) return undefined;
  return {
    cause: 'nothing_recorded',
    severity: 'attention',
    remedy: 'check_device',
    since: lastDataAt ?? connection.consentedAt ?? connection.createdAt,
    nextTryAt: nextPollAt,
  };
}

function zoneUnknown({ isZoneUnknown, lastDataAt }: ProviderFacts): Found | undefined {
  if (!isZoneUnknown || !lastDataAt) return undefined;
  return { cause: 'zone_unknown', severity: 'attention', remedy: 'set_time_zone' };
}
