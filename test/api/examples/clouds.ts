import { expect } from 'vitest';
import { type ConnectionFixture, WEBHOOK_SECRET } from '../connection-fixture.js';
import type { Recorder } from './recorder.js';

const GOOGLE = { provider: 'google' };

/** What no provider of this version answers with success. */
export const NEVER_ANSWERED = [
  'listVendorWorkouts',
  'getVendorWorkout',
  'verifyProviderWebhook',
  'renewWebhookSubscriptions',
];

/** A connection at a vendor from the consent to its end. */
export async function recordClouds(recorder: Recorder, { vendor, ...fixture }: ConnectionFixture): Promise<void> {
  const { healthUserId } = await vendor.control.addAccount({ id: 'anna', timeZone: 'Europe/Warsaw' });
  const { id: user_id } = await recorder.call('createUser');
  const path = { ...GOOGLE, user_id };

  const { authorization_url } = await recorder.call('authorizeProvider', { path: GOOGLE, query: { user_id } });
  const back = new URL(await fixture.consent(authorization_url));
  await recorder.call('completeAuthorization', { path: GOOGLE, query: Object.fromEntries(back.searchParams) });
  await fixture.tokensOf(user_id);
  await recorder.call('showConnected', { query: { ...GOOGLE, user_id } });
  await recorder.call('showConnectionError', { query: { message: 'The consent was not given.' } });
  await allEnded(recorder, user_id);

  await vendor.control.seedHistory('anna', { days: 4, dataTypes: ['steps', 'exercise'] });
  await recorder.call('requestProviderSync', { path, query: { async: 'false', data_type: 'workouts' } });
  await recorder.call('requestHistoricalSync', { path, query: { days: '2' } });
  await allEnded(recorder, user_id);
  await recorder.call('listConnections', { path });
  await recorder.call('diagnoseUser', { path: { user_id } });

  await recordWebhooks(recorder, healthUserId);
  for (const id of NEVER_ANSWERED) await recorder.refusalOf(id, { path: { ...path, workout_id: '1' } });
  await allEnded(recorder, user_id);
  await recorder.call('disconnectProvider', { path });
  await recorder.call('deleteProviderData', { path });
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

  const query = { callback_url: `${recorder.service.url}/api/v1/providers/google/webhooks` };
  const path = { ...GOOGLE, subscription_id: 'healthd' };
  await recorder.call('createWebhookSubscription', { path, query });
  await recorder.call('listWebhookSubscriptions', { path });
  await recorder.call('getWebhookSubscription', { path });
  await recorder.call('updateWebhookSubscription', { path, query });
  await recorder.call('deleteWebhookSubscription', { path });
}
