import { accounts } from './2026-11-24_01_accounts.js';
import { users } from './2026-11-24_02_users.js';
import { sources } from './2026-11-24_03_sources.js';
import { samples } from './2026-11-24_04_samples.js';
import { sessions } from './2026-11-24_05_sessions.js';
import { runs } from './2026-11-24_06_runs.js';
import { connections } from './2026-11-24_07_connections.js';
import { push } from './2026-11-24_08_push.js';
import { archival } from './2026-11-24_09_archival.js';
import { audit } from './2026-11-24_10_audit.js';
import { repairs } from './2026-11-24_11_repairs.js';
import { vault } from './2026-11-24_12_vault.js';
import { notifiedItems } from './2026-11-24_20_notified_items.js';
import { comparedSources } from './2026-11-24_30_compared_sources.js';
import { connectLinks } from './2026-11-24_40_connect_links.js';
import { requestCounts } from './2026-11-24_60_request_counts.js';
import { openTrouble } from './2026-11-24_70_open_trouble.js';
import { deliveries } from './2026-11-24_80_deliveries.js';
import { deliveryIndexes } from './2026-11-24_90_delivery_indexes.js';
import { waitingShares } from './2026-11-24_95_waiting_shares.js';
import { exclusiveItems } from './2026-11-24_97_exclusive_items.js';
import { oldDeliveries } from './2026-11-24_98_old_deliveries.js';
import { connectionOrder } from './2026-11-24_99_connection_order.js';
import { givenSecrets } from './2026-11-25_10_given_secrets.js';
import { listsOfAllUsers } from './2026-11-25_20_lists_of_all_users.js';
import { serviceActivity } from './2026-11-25_30_service_activity.js';
import { deliveryRetries } from './2026-11-25_40_delivery_retries.js';
import { deliveredPortions } from './2026-11-26_10_delivered_portions.js';
import { erasureReceipts } from './2026-11-26_20_erasure_receipts.js';
import { listFilters } from './2026-11-26_30_list_filters.js';
import { keySuccessors } from './2026-11-26_40_key_successors.js';
import { awaitedItems } from './2026-11-26_50_awaited_items.js';
import { consentBrowsers } from './2026-11-27_30_consent_browsers.js';
import { vendorAccounts } from './2026-11-27_20_vendor_accounts.js';
import { notificationTimes } from './2026-11-27_40_notification_times.js';
import { polarScores } from './2026-11-27_60_polar_scores.js';
import { changedProfiles } from './2026-11-27_98_changed_profiles.js';
import { deliveryErasures } from './2026-11-27_41_delivery_erasures.js';
import { nightSources } from './2026-11-27_95_night_sources.js';
import { prioritySeeds } from './2026-11-27_96_priority_seeds.js';
import { archivedMaximum } from './2026-11-27_97_archived_maximum.js';
import { pushedRows } from './2026-11-27_21_pushed_rows.js';
import { mergedAccounts } from './2026-11-28_31_merged_accounts.js';
import { archivedNightSources } from './2026-11-28_32_archived_night_sources.js';
import { providerTerms } from './2026-11-28_50_provider_terms.js';
import { unprovenAccounts } from './2026-11-28_60_unproven_accounts.js';

/** One step of the schema: it runs once, in a transaction, and is never edited after it has landed. */
export interface Migration {
  name: string;
  sql: string;
}

/**
 * One step for each area. Together they make the schema at which the steps of `superseded/` end, so a database that has
 * all of those has these.
 */
export const areas: readonly Migration[] = [
  accounts,
  users,
  sources,
  samples,
  sessions,
  runs,
  connections,
  push,
  archival,
  audit,
  repairs,
  vault,
];

/** All migrations in the order they run. Never edit one that has landed; add another at the end. */
export const migrations: readonly Migration[] = [
  ...areas,
  notifiedItems,
  comparedSources,
  connectLinks,
  requestCounts,
  openTrouble,
  deliveries,
  deliveryIndexes,
  waitingShares,
  exclusiveItems,
  oldDeliveries,
  connectionOrder,
  givenSecrets,
  listsOfAllUsers,
  serviceActivity,
  deliveryRetries,
  deliveredPortions,
  erasureReceipts,
  listFilters,
  keySuccessors,
  awaitedItems,
  vendorAccounts,
  pushedRows,
  consentBrowsers,
  notificationTimes,
  deliveryErasures,
  polarScores,
  nightSources,
  prioritySeeds,
  archivedMaximum,
  changedProfiles,
  mergedAccounts,
  archivedNightSources,
  providerTerms,
  unprovenAccounts,
];
