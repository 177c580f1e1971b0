import type { DiagnosisCause, ProviderDiagnosis } from '@healthd/schemas';
import { quoted } from '../../../shell-command.js';

/** What the service has found when it names a cause. */
export const CAUSE_REASONS: Readonly<Record<DiagnosisCause, string>> = {
  never_connected: 'There is no connection and no data from any provider.',
  consent_ended: 'The vendor took the consent back, or the authorization cannot be renewed or read.',
  disconnected: 'The connection was ended in this service.',
  provider_disabled: 'The provider is disabled for all users.',
  provider_not_configured: 'The service has no credentials for the vendor.',
  quota_spent: 'The vendor takes no more requests until the next try.',
  not_linked: 'The account has no health profile at the vendor yet.',
  vendor_failing: 'Reads from the vendor fail.',
  scope_missing: 'The person did not agree to share some kinds of data.',
  webhook_silent: 'A vendor that notifies has been quiet for much longer than usual.',
  run_waiting: 'A run waits for its turn or for another attempt.',
  phone_silent: 'The phone has sent nothing for two days.',
  archived: 'All samples are so old that they were archived; totals of days remain.',
  nothing_recorded: 'The vendor answers, or the phone sends, and nothing newer than two days was recorded.',
  zone_unknown: 'Data came without a time zone, and none is known of the person.',
  receiving: 'Nothing is wrong that the service can see.',
};

/** The line of `healthctl` that does what the button does; undefined where no command does. */
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
