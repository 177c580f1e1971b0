import type { AuditEvent, SyncRun } from '@healthd/schemas';
import { storedRows } from '../../support/stored-rows.js';
import { startWholeService } from '../../support/whole-service.js';
import { asExport } from './as-export.js';
import { asItems, asPush, type PushedItem } from './as-push.js';
import type { Life } from './life.js';
import { byStartAndType } from './truth.js';

/** Date range of a life. */
const SPAN = { from: '2026-10-01', to: '2027-01-01' };

/**
 * Starts the complete service. Returns functions that read its data, and the channels through which a life arrives.
 * @param env settings, such as those that replace the vendor with a simulator
 */
export async function openChannels(env: Record<string, string> = {}) {
  const service = await startWholeService(env, 'all');
  const call = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const headers = { [service.apiKeyHeader]: service.apiKey, ...init.headers };
    const response = await fetch(`${service.url}/api/v1${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
    return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
  };
  const post = <T>(path: string, body: unknown) =>
    call<T>(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
  const ended = async (runId: string): Promise<SyncRun> => {
    for (let tries = 0; tries < 3000; tries++) {
      const run = await call<SyncRun>(`/sync/runs/${runId}`);
      if (run.ended_at !== null && run.status !== 'success') throw new Error(`a run ended as ${JSON.stringify(run)}`);
      if (run.ended_at !== null) return run;
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    throw new Error('a run does not end');
  };
  /** Headers of a logged-in developer. */
  const developer = async () => {
    const { email, password } = service;
    const { access_token } = await service.accounts.sessions.login({ email, password, address: undefined });
    service.watch.know(access_token);
    return { Authorization: `Bearer ${access_token}` };
  };
  /** Waits until every item has its date in the detected time zone and all sources are joined. */
  const placed = async () => {
    for (let tries = 0; tries < 3000; tries++) {
      const { rowCount } = await service.pool.query('select from pending_repair');
      if (rowCount === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    throw new Error('items are not placed or joined');
  };
  return {
    call,
    post,
    newUser: async () => (await post<{ id: string }>('/users', {})).id,
    /** Imports an export of these days and waits for its end. @param by attributes of the source */
    async importDays(user: string, days: Life['days'], query = '', by?: string): Promise<SyncRun> {
      const form = new FormData();
      form.set('file', new Blob([asExport(days, by)]), 'export.xml');
      const accepted = await call<{ run_id: string }>(`/users/${user}/import/apple/xml/direct${query}`, {
        method: 'POST',
        body: form,
      });
      return ended(accepted.run_id);
    },
    /** Pushes these items in one batch and waits for its end. */
    async pushItems(user: string, items: readonly PushedItem[]): Promise<SyncRun> {
      return ended((await post<{ batch_id: string }>(`/sdk/users/${user}/sync`, asPush(items))).batch_id);
    },
    async pushDays(user: string, days: Life['days']): Promise<SyncRun> {
      return this.pushItems(user, asItems(days));
    },
    /** Completes a consent for the user with one of the vendor's accounts. */
    async connect(user: string, account: string): Promise<void> {
      const authorized = await call<{ authorization_url: string }>(`/oauth/google/authorize?user_id=${user}`);
      const address = new URL(authorized.authorization_url);
      address.searchParams.set('login_hint', account);
      const consented = await fetch(address, { redirect: 'manual' });
      const { pathname, search } = new URL(consented.headers.get('location') ?? '');
      const back = await fetch(`${service.url}${pathname}${search}`, { redirect: 'manual' });
      if (back.status !== 303) throw new Error(`the callback answered ${back.status}: ${await back.text()}`);
    },
    /** Reads a user's last days from the vendor's cloud and waits for the end. */
    async pullPast(user: string, days: number): Promise<SyncRun> {
      const path = `/providers/google/users/${user}/sync/historical?days=${days}`;
      return ended((await call<{ run_id: string }>(path, { method: 'POST' })).run_id);
    },
    /** Sets the granularity that is requested from the vendor from now on. */
    async readCloudAs(data_granularity: 'raw' | 'hourly' | 'daily'): Promise<void> {
      await call('/oauth/providers/google', {
        method: 'PUT',
        body: JSON.stringify({ is_enabled: true, data_granularity }),
        headers: { ...(await developer()), 'Content-Type': 'application/json' },
      });
    },
    /** Returns the user's stored rows by table. */
    storedRows: (user: string) => storedRows(service.pool, user),
    /** Returns the service's summaries of the user in the format of the truth. */
    async answers(user: string, { from, to } = SPAN) {
      await placed();
      const range = `start_date=${from}&end_date=${to}&limit=100`;
      const sleep = await call<{ data: Record<string, unknown>[] }>(`/users/${user}/summaries/sleep?${range}`);
      const workouts = await call<{
        data: { type: string; start_time: string; end_time: string; calories_kcal: number }[];
      }>(`/users/${user}/events/workouts?${range}&filter_by_priority=true`);
      const activity = await call<{ data: Record<string, unknown>[] }>(`/users/${user}/summaries/activity?${range}`);
      const types = ['steps', 'heart_rate', 'energy', 'distance_walking_running', 'hydration'];
      const series = await call<{ data: { type: string; timestamp: string; value: number }[] }>(
        `/users/${user}/timeseries?start_time=${from}&end_time=${to}&limit=10000&${types.map((type) => `types=${type}`).join('&')}`,
      );
      return {
        activity: activity.data
          .map(({ date, steps, distance_meters, active_calories_kcal, heart_rate }) => ({
            date: String(date),
            steps,
            distance_meters,
            active_calories_kcal,
            heart_rate,
          }))
          .sort((a, b) => (a.date < b.date ? -1 : 1)),
        samples: series.data.map(({ type, timestamp, value }) => `${type} ${timestamp} ${value}`).sort(),
        nights: sleep.data
          .map(({ date, duration_minutes, nap_count, nap_duration_minutes }) => ({
            date: String(date),
            duration_minutes,
            nap_count,
            nap_duration_minutes,
          }))
          .sort((a, b) => (a.date < b.date ? -1 : 1)),
        workouts: workouts.data
          .map(({ type, start_time, end_time, calories_kcal }) => ({ type, start_time, end_time, calories_kcal }))
          .sort(byStartAndType),
      };
    },
    /** Returns the user's audit trail as a developer reads it. */
    async audited(user: string) {
      const headers = await developer();
      return (await call<{ data: AuditEvent[] }>(`/audit?user_id=${user}&limit=200`, { headers })).data;
    },
    stop: () => service.stop(),
  };
}

export type Channels = Awaited<ReturnType<typeof openChannels>>;
