import { MINUTES_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import { expect } from 'vitest';
import { type ConnectionFixture, WEBHOOK_SECRET } from '../connection-fixture.js';
import type { Recorder } from './recorder.js';

const GOOGLE = { provider: 'google' };
/** Vendor that pushes data, and the token in its delivery URL. */
export const DELIVERING = {
  provider: 'garmin',
  clientId: 'an application of the vendor',
  token: 'a token in the address',
};

/** A time zone without daylight saving time, so that the examples do not depend on the season. */
const UNCHANGING_ZONE = 'Africa/Lagos';

/** Routes that no connected provider supports in this version or with these settings. */
export const UNSUPPORTED_ROUTES = [
  'verifyProviderWebhook',
  'cancelBackfill',
  'retryBackfill',
  'renewWebhookSubscriptions',
];

/** Records the examples of connecting, syncing and disconnecting. */
export async function recordClouds(recorder: Recorder, { vendor, ...fixture }: ConnectionFixture): Promise<void> {
  const { healthUserId } = await vendor.control.addAccount({ id: 'anna', timeZone: UNCHANGING_ZONE });
  const { id: user_id } = await recorder.call('createUser');
  const path = { ...GOOGLE, user_id };

  const { authorization_url } = await recorder.call('authorizeProvider', { path: GOOGLE, query: { user_id } });
  const back = new URL(await fixture.consent(authorization_url));
  await recorder.call('completeAuthorization', { path: GOOGLE, query: Object.fromEntries(back.searchParams) });
  await fixture.tokensOf(user_id);
  await recorder.call('showConnected', { query: { ...GOOGLE, user_id } });
  await recorder.call('showConnectionError', { query: { message: 'The consent was not given.' } });
  await allEnded(recorder, user_id);

  await vendor.control.addPoints('anna', lastTwoDays(Date.now()), { notify: false });
  await recorder.call('requestProviderSync', { path, query: { async: 'false', data_type: 'workouts' } });
  await recordConnectLink(recorder, user_id);
  await recorder.call('requestHistoricalSync', { path, query: { days: '2' } });
  await allEnded(recorder, user_id);
  await recordVendorWorkouts(recorder, path);
  await recorder.call('listConnections', { path });
  await recorder.call('listAllConnections', { query: { user_id } });
  await recorder.call('diagnoseUser', { path: { user_id } });

  await recordWebhooks(recorder, healthUserId);
  await recorder.call('getBackfillStatus', { path: { provider: 'garmin', user_id } });
  for (const id of UNSUPPORTED_ROUTES) {
    const delivered: Record<string, string> = id.endsWith('Backfill') ? { provider: 'garmin', type_name: 'hrv' } : {};
    await recorder.rejectionOf(id, { path: { ...path, workout_id: '1', ...delivered } });
  }
  await allEnded(recorder, user_id);
  await recorder.call('disconnectProvider', { path });
  await recorder.call('listTrouble');
  await recorder.call('listTroubledUsers', { query: { ...GOOGLE, cause: 'disconnected' } });
  await recorder.call('deleteProviderData', { path });
}

/** Returns steps and two workouts at fixed times before the recording, so that all recordings are equal. */
function lastTwoDays(nowMs: number): Parameters<ConnectionFixture['vendor']['control']['addPoints']>[1] {
  const minutesAgo = (minutes: number) => new Date(nowMs - minutes * MS_PER_MINUTE).toISOString();
  const workout = (id: string, startMinutes: number) => ({
    dataType: 'exercise',
    id,
    startTime: minutesAgo(startMinutes),
    endTime: minutesAgo(startMinutes - 30),
    source: 'watch' as const,
    value: {
      exerciseType: 'RUNNING',
      displayName: 'Run',
      activeDuration: '1740s',
      metricsSummary: { caloriesKcal: 271.5, distanceMillimeters: 5_020_000, steps: 5210 },
    },
  });
  const steps = { dataType: 'steps', startTime: minutesAgo(40), endTime: minutesAgo(20), source: 'watch' as const };
  return [workout('72159731101', 120), workout('72159731102', MINUTES_PER_DAY + 120), { ...steps, value: 1830 }];
}

async function recordConnectLink(recorder: Recorder, user_id: string): Promise<void> {
  const body = { providers: ['google'], expires_in_minutes: 60, language: 'en' };
  const { id: link_id, url } = await recorder.call('createConnectLink', { path: { user_id }, body });
  const token = String(url).split('/').at(-1) ?? '';
  await recorder.call('showConnectPage', { path: { token } });
  await recorder.call('beginConnectLink', { path: { token, ...GOOGLE } });
  await recorder.call('listConnectLinks', { path: { user_id } });
  await recorder.call('renewConnectLink', { path: { user_id, link_id } });
  await recorder.call('revokeConnectLink', { path: { user_id, link_id } });
}

async function recordVendorWorkouts(recorder: Recorder, path: { provider: string; user_id: string }): Promise<void> {
  const page = (await recorder.call('listVendorWorkouts', { path, query: { limit: '1' } })) as {
    dataPoints: { name: string }[];
  };
  const workout_id = page.dataPoints[0]?.name.split('/').at(-1) ?? '';
  await recorder.call('getVendorWorkout', { path: { ...path, workout_id } });
}

async function allEnded({ service }: Recorder, userId: string): Promise<void> {
  const open = async () => {
    const { rows } = await service.pool.query(
      `select count(*)::int as open from sync_run join health_user using (user_key)
        where id = $1 and status = 'in_progress'`,
      [userId],
    );
    return rows[0].open;
  };
  await expect.poll(open).toBe(0);
}

async function recordWebhooks(recorder: Recorder, healthUserId: string): Promise<void> {
  const headers = { Authorization: `Bearer ${WEBHOOK_SECRET}` };
  const physicalTimeInterval = { startTime: '2026-03-10T08:00:00Z', endTime: '2026-03-10T09:00:00Z' };
  const change = { version: '1', healthUserId, operation: 'UPSERT', dataType: 'steps' };
  const body = { data: { ...change, intervals: [{ physicalTimeInterval }] } };
  await recorder.call('receiveProviderWebhook', { path: GOOGLE, headers, body });
  await recorder.call('receiveProviderWebhook', { path: GOOGLE, headers, body: { type: 'verification' } });
  const { provider, clientId, token } = DELIVERING;
  const headersOfVendor = { 'garmin-client-id': clientId };
  const delivery = { path: { provider }, query: { token }, headers: headersOfVendor, body: { dailies: [] } };
  await recorder.call('receiveProviderWebhook', delivery);

  const query = { callback_url: `${recorder.service.url}/api/v1/providers/google/webhooks` };
  const path = { ...GOOGLE, subscription_id: 'healthd' };
  await recorder.call('createWebhookSubscription', { path, query });
  await recorder.call('listWebhookSubscriptions', { path });
  await recorder.call('getWebhookSubscription', { path });
  await recorder.call('updateWebhookSubscription', { path, query });
  await recorder.call('deleteWebhookSubscription', { path });
}
