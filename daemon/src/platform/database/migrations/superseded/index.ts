import { accounts } from './2026-11-21_01_accounts.js';
import { users } from './2026-11-21_02_users.js';
import { samples } from './2026-11-21_03_samples.js';
import { sessions } from './2026-11-21_04_sessions.js';
import { runs } from './2026-11-21_05_runs.js';
import { credentials } from './2026-11-21_10_credentials.js';
import { audit } from './2026-11-21_20_audit.js';
import { push } from './2026-11-21_30_push.js';
import { merge } from './2026-11-21_40_merge.js';
import { archival } from './2026-11-21_50_archival.js';
import { connections } from './2026-11-21_60_connections.js';
import { sleepSpans } from './2026-11-21_70_sleep_spans.js';
import { subscriberRegistration } from './2026-11-21_80_subscriber_registration.js';
import { loginWaits } from './2026-11-22_10_login_waits.js';
import { repairs } from './2026-11-22_20_repairs.js';
import { itemCounts } from './2026-11-22_30_item_counts.js';
import { retries } from './2026-11-22_40_retries.js';
import { auditOccurrences } from './2026-11-22_50_audit_occurrences.js';
import { sessionIdentity } from './2026-11-22_60_session_identity.js';
import { userSearch } from './2026-11-22_65_user_search.js';
import { firstAccount } from './2026-11-22_80_first_account.js';
import { keyCheck } from './2026-11-22_90_key_check.js';
import { erasures } from './2026-11-22_95_erasures.js';
import { tombstones } from './2026-11-22_97_tombstones.js';
import { sampleSlots } from './2026-11-22_98_sample_slots.js';
import { timeZones } from './2026-11-22_99_time_zones.js';
import { sampleExtremes } from './2026-11-23_05_sample_extremes.js';
import { rejectionReasons } from './2026-11-23_07_rejection_reasons.js';
import { importModes } from './2026-11-23_10_import_modes.js';
import { webhookRuns } from './2026-11-23_20_webhook_runs.js';
import { retryingRuns } from './2026-11-23_30_retrying_runs.js';
import { loginNames } from './2026-11-23_40_login_names.js';
import { sourceAliases } from './2026-11-23_50_source_aliases.js';
import { adoptedKeys } from './2026-11-23_60_adopted_keys.js';

/**
 * The steps by which a database came to the state in which `../index.ts` begins, as they ran until November 2026, in order.
 * A new database never runs them; an older one, or a backup of one, is brought forward by those that it lacks. Never edit
 * one.
 */
export const superseded: readonly { name: string; sql: string }[] = [
  accounts,
  users,
  samples,
  sessions,
  runs,
  credentials,
  audit,
  push,
  merge,
  archival,
  connections,
  sleepSpans,
  subscriberRegistration,
  loginWaits,
  repairs,
  itemCounts,
  retries,
  auditOccurrences,
  sessionIdentity,
  userSearch,
  firstAccount,
  keyCheck,
  erasures,
  tombstones,
  sampleSlots,
  timeZones,
  sampleExtremes,
  rejectionReasons,
  importModes,
  webhookRuns,
  retryingRuns,
  loginNames,
  sourceAliases,
  adoptedKeys,
];
