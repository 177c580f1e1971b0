import type pg from 'pg';
import { SettingsError } from '../platform/settings-error.js';

/** Default of JOB_CONCURRENCY. The service starts with it even if the database allows fewer connections. */
const DEFAULT_JOBS = 4;
/** Pool connections that are reserved for requests and timers. */
const FOR_REQUESTS = 12;
/** A job uses one connection and sometimes a second one. */
const PER_JOB = 2;
/** Connections outside the pool: spare run locks, the job store, models and the channel connection. */
const OUTSIDE_THE_POOL = 14;

/** Returns the size of the pool: the connections for requests plus the connections of all jobs. */
export function poolSize(jobConcurrency: number): number {
  return FOR_REQUESTS + PER_JOB * jobConcurrency;
}

/** Returns the maximum number of connections of one process; each running job also holds a run lock. */
function connectionsOf(jobConcurrency: number): number {
  return poolSize(jobConcurrency) + jobConcurrency + OUTSIDE_THE_POOL;
}

/** @throws SettingsError if the database allows fewer connections than this number of jobs needs */
export async function requireConnections(pool: pg.Pool, jobConcurrency: number): Promise<void> {
  if (jobConcurrency <= DEFAULT_JOBS) return;
  const { rows } = await pool.query<{ allowed: number }>(
    `select least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
                  nullif(datconnlimit, -1), nullif(rolconnlimit, -1)) as allowed
       from pg_database, pg_roles where datname = current_database() and rolname = current_user`,
  );
  const allowed = rows[0]?.allowed ?? 0;
  const needed = connectionsOf(jobConcurrency);
  if (needed <= allowed) return;
  const most = Math.max(DEFAULT_JOBS, Math.floor((allowed - connectionsOf(0)) / (PER_JOB + 1)));
  throw new SettingsError([
    `JOB_CONCURRENCY: ${jobConcurrency} jobs need up to ${needed} database connections, but the server allows ${allowed}; at most ${most}`,
  ]);
}
