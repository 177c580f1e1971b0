import type { DiagnosisCause, ProviderDiagnosis } from '@healthd/schemas';
import { quoted } from '../../../shell-command.js';

/** Explanations of causes. */
export const CAUSE_REASONS: Readonly<Record<DiagnosisCause, string>> = {
  never_connected: 'The user has no connection and no data.',
  consent_ended: 'The vendor revoked the consent, or the service cannot renew or read its tokens.',
  disconnected: 'A developer disconnected the user in this service.',
  provider_disabled: 'The provider is disabled for all users.',
  provider_not_configured: 'The service has no credentials for the vendor.',
  quota_spent: 'The vendor’s rate limit is reached. The next attempt starts automatically.',
  not_linked: 'The account has no health profile at the vendor yet.',
  vendor_failing: 'Requests to the vendor fail.',
  scope_missing: 'The person did not consent to share some data types.',
  webhook_silent: 'The vendor has sent no notification for much longer than usual.',
  run_waiting: 'A run is waiting for a free worker or for its next attempt.',
  phone_silent: 'The phone has sent nothing for two days.',
  archived: 'All samples are archived. Daily totals remain.',
  nothing_recorded: 'Syncs or device pushes work, but no data from the last two days exists.',
  zone_unknown: 'Data arrived without a time zone, and the user has no time zone set.',
  receiving: 'No problems found.',
};

/** Returns the `healthctl` command of a remedy; undefined if there is none. */
export function remedyCommand(userId: string, { provider, remedy }: ProviderDiagnosis): string | undefined {
  const user = quoted(userId);
  switch (remedy) {
    case 'send_connect_link':
      return `healthctl connect-links create --user ${user} --providers ${provider}`;
    case 'sync_now':
      return `healthctl sync run ${user} --provider ${provider}`;
    case 'enable_provider':
      return `healthctl providers enable ${provider}`;
    case 'set_time_zone':
      return `healthctl users update ${user} --time-zone '<zone>'`;
    default:
      return undefined;
  }
}
