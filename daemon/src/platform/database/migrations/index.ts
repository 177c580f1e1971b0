import { accounts } from './2026-11-28_01_accounts.js';
import { users } from './2026-11-28_02_users.js';
import { sources } from './2026-11-28_03_sources.js';
import { samples } from './2026-11-28_04_samples.js';
import { sessions } from './2026-11-28_05_sessions.js';
import { runs } from './2026-11-28_06_runs.js';
import { connections } from './2026-11-28_07_connections.js';
import { pulls } from './2026-11-28_08_pulls.js';
import { deliveries } from './2026-11-28_09_deliveries.js';
import { push } from './2026-11-28_10_push.js';
import { archival } from './2026-11-28_11_archival.js';
import { audit } from './2026-11-28_12_audit.js';
import { vault } from './2026-11-28_13_vault.js';
import { preparedConsents } from './2026-11-28_14_prepared_consents.js';
import { pushedIds } from './2026-11-28_15_pushed_ids.js';
import { countedNaps } from './2026-11-28_16_counted_naps.js';
import { summaryDates } from './2026-11-29_17_summary_dates.js';
import { dividedSessions } from './2026-11-29_18_divided_sessions.js';
import { feed } from './2026-11-29_19_feed.js';
import { lostNights } from './2026-11-29_20_lost_nights.js';
import { digests } from './2026-11-29_21_digests.js';
import { repairProgress } from './2026-11-29_22_repair_progress.js';
import { pushedRanges } from './2026-11-29_23_pushed_ranges.js';
import { feedEvents } from './2026-11-29_24_feed_events.js';
import { deletedNights } from './2026-11-29_25_deleted_nights.js';
import { feedCost } from './2026-11-29_26_feed_cost.js';
import { feedEventIndex } from './2026-11-29_27_feed_event_index.js';
import { userState } from './2026-11-29_28_user_state.js';
import { feedHorizon } from './2026-11-29_29_feed_horizon.js';
import { feedSwitch } from './2026-11-30_30_feed_switch.js';

/** One step of the schema. It runs once, in a transaction, and is never edited after landing. */
export interface Migration {
  name: string;
  sql: string;
}

/** One step per area of the schema. Together they create the schema of version 0.2.0. */
export const areas: readonly Migration[] = [
  accounts,
  users,
  sources,
  samples,
  sessions,
  runs,
  connections,
  pulls,
  deliveries,
  push,
  archival,
  audit,
  vault,
];

/** All migrations in order. Never edit one that has landed; append another one. */
export const migrations: readonly Migration[] = [
  ...areas,
  preparedConsents,
  pushedIds,
  countedNaps,
  summaryDates,
  dividedSessions,
  feed,
  lostNights,
  digests,
  repairProgress,
  pushedRanges,
  feedEvents,
  deletedNights,
  feedCost,
  feedEventIndex,
  userState,
  feedHorizon,
  feedSwitch,
];
