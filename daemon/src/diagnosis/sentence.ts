import type { DiagnosisCause, DiagnosisRemedy } from '@healthd/schemas';
import type { ProviderFacts } from './provider-facts.js';
import type { Verdict } from './verdict.js';

type Described = Pick<ProviderFacts, 'name' | 'connection' | 'lastDataAt' | 'openRun'>;
type At = (instant: Date | undefined) => string;

const CAUSE_TEXTS: Readonly<Record<DiagnosisCause, (verdict: Verdict, at: At, facts: Described) => string>> = {
  never_connected: () => 'was never connected',
  consent_ended: ({ since }, at) => `the consent ended on ${at(since)}`,
  disconnected: ({ since }, at) => `was disconnected on ${at(since)}`,
  provider_disabled: () => 'is disabled for all users',
  provider_not_configured: () => 'has no credentials in the service’s settings',
  quota_spent: ({ nextTryAt }, at) => `the vendor accepts no more requests until ${at(nextTryAt)}`,
  not_linked: () => 'the account has no health profile at the vendor yet, so there is nothing to read',
  vendor_failing: ({ since, details }, at) =>
    `the vendor has been failing since ${at(since)} (${details.join('; ').replace(/\.$/, '')})`,
  scope_missing: ({ details }) => `the person did not agree to share ${details.map(scopeName).join(', ')}`,
  webhook_silent: ({ since }, at) => `the vendor has sent no notification since ${at(since)}`,
  run_waiting: ({ since }, at) => `a run has been waiting since ${at(since)}`,
  phone_silent: ({ since }, at) => `the phone has sent nothing since ${at(since)}`,
  archived: ({ details }) => `all samples are older than ${details[0]} and were archived; daily totals remain`,
  nothing_recorded: ({ since }, at, { connection }) =>
    `${connection?.hasTokens ? 'the vendor responds' : 'the phone sends'}, but the device has recorded nothing since ${at(since)}`,
  zone_unknown: ({ details }) =>
    details.length === 0
      ? 'data arrives, but the time zone is unknown, so days start at midnight UTC'
      : `${details.join(', ')} could not be stored, because the time zone is unknown; after you set it, a historical sync adds them`,
  receiving: () => 'data arrives as expected',
};

const REMEDY_TEXTS: Readonly<Record<DiagnosisRemedy, string | undefined>> = {
  send_connect_link: 'Send the person a new connect link.',
  enable_provider: 'Enable the provider.',
  set_credentials: 'Set the provider’s credentials and restart the service.',
  sync_now: 'Start a sync to try now.',
  open_phone_app: 'Ask the person to open the app on the phone.',
  check_device: 'Ask the person whether the device is worn, charged and synced with its app.',
  set_up_account:
    'Ask the person to open the vendor’s health app with this account, finish its setup and sync a device, or to connect another account.',
  set_time_zone: 'Set the user’s time zone.',
  none: undefined,
};

/** Returns the name of a missing scope. `offline` is not a data type: without it the vendor issues no refresh token. */
function scopeName(name: string): string {
  return name === 'offline' ? 'data beyond the first hour (offline)' : name;
}

/**
 * Returns the diagnosis of one provider in one sentence, followed by the last data, the next attempt and the remedy.
 * @param zone IANA time zone of the times
 */
export function sentenceOf(facts: Described, verdict: Verdict, zone: string): string {
  const at = clockOf(zone);
  const parts = [`${facts.name}: ${CAUSE_TEXTS[verdict.cause](verdict, at, facts)}.`];
  if (verdict.cause !== 'never_connected')
    parts.push(facts.lastDataAt ? `Last data ${at(facts.lastDataAt)}.` : 'No data so far.');
  if (verdict.nextTryAt && verdict.cause !== 'quota_spent')
    parts.push(`Next try ${at(verdict.nextTryAt)}${attemptText(facts.openRun)}.`);
  const remedy = REMEDY_TEXTS[verdict.remedy];
  if (remedy) parts.push(remedy);
  return parts.join(' ');
}

/** Formats ` (attempt 2 of 6)`. Empty unless a run waits for another attempt. */
function attemptText(run: Described['openRun']): string {
  if (run?.attempt === undefined) return '';
  return ` (attempt ${run.attempt}${run.maxAttempts === undefined ? '' : ` of ${run.maxAttempts}`})`;
}

/** Formats times for support staff: `Tue 17 Nov 2026, 10:32`. */
function clockOf(zone: string): At {
  const form = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (instant) => {
    if (!instant) return 'an unknown time';
    const parts = Object.fromEntries(form.formatToParts(instant).map(({ type, value }) => [type, value]));
    return `${parts.weekday} ${parts.day} ${parts.month} ${parts.year}, ${parts.hour}:${parts.minute}`;
  };
}
