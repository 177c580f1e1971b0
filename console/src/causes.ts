import type { DiagnosisCause } from '@healthd/schemas';

/** Names of causes in lists. The service writes the sentence about a single user. */
export const CAUSE_NAMES: Readonly<Record<DiagnosisCause, string>> = {
  never_connected: 'Never connected',
  consent_ended: 'Consent ended',
  disconnected: 'Disconnected here',
  provider_disabled: 'Provider disabled',
  provider_not_configured: 'No credentials',
  quota_spent: 'Quota used up',
  not_linked: 'No health profile',
  vendor_failing: 'Vendor failing',
  scope_missing: 'Data not shared',
  webhook_silent: 'Notifications stopped',
  run_waiting: 'Runs waiting',
  phone_silent: 'Device pushes stopped',
  archived: 'Archived',
  nothing_recorded: 'Nothing recorded',
  zone_unknown: 'Time zone unknown',
  receiving: 'Working',
};
