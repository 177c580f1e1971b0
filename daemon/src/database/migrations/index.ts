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

/** All migrations in the order they run. Never edit one that has landed; add another. */
export const migrations: readonly { name: string; sql: string }[] = [
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
];
