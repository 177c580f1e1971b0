import type { Recorder } from './recorder.js';

/** Records examples for the service's settings and status. */
export async function recordSettings(recorder: Recorder): Promise<void> {
  await recorder.call('getConfig');
  await recorder.call('getSystemStatus');
  await recorder.call('listProviders', { query: { enabled_only: 'true' } });
  await recorder.call('getProvider', { path: { provider: 'google' } });
  await recorder.call('updateProviders', { body: { providers: { apple: true, google: true } } });
  await recorder.call('updateProvider', {
    path: { provider: 'google' },
    body: { is_enabled: true, live_sync_mode: 'pull', data_granularity: 'raw' },
  });

  await recorder.call('listProviderTerms');
  await recorder.call('updateProviderSettings', {
    path: { provider: 'strava' },
    body: {
      terms: {
        assistants: { value: 'allow', reason: 'Written permission of 2026-10-01' },
        cache_days: { answer: 'declined' },
      },
    },
  });

  await recorder.call('listProviderPriorities');
  await recorder.call('setProviderPriorities', { body: { priorities: [{ provider: 'apple', priority: 1 }] } });
  await recorder.call('setProviderPriority', { path: { provider: 'google' }, body: { priority: 2 } });
  await recorder.call('previewUpgrade');
  await recorder.call('previewPriorities', { body: { providers: [{ provider: 'google', priority: 1 }] } });
  await recorder.call('getDataVolume', { query: { provider: 'apple' } });
  await recorder.call('listDeviceTypePriorities');
  await recorder.call('setDeviceTypePriorities', { body: { priorities: [{ device_type: 'watch', priority: 1 }] } });
  await recorder.call('setDeviceTypePriority', { path: { device_type: 'phone' }, body: { priority: 2 } });

  const ages = { archive_after_days: 1825, delete_after_days: 3650 };
  await recorder.call('previewArchival', { query: { archive_after_days: '1' } });
  await recorder.call('setArchivalSettings', { body: ages });
  await recorder.call('getArchivalSettings');
  await recorder.call('runArchival');
}

/** Records examples for users and the audit trail of their data. */
export async function recordUsers(recorder: Recorder): Promise<void> {
  const { id: user_id } = await recorder.call('createUser');
  const path = { user_id };
  await recorder.call('updateUser', { path, body: { first_name: 'Ann', time_zone: 'Europe/Lisbon' } });
  await recorder.call('getUser', { path });
  await recorder.call('listUsers', { query: { search: 'ann', limit: '1' } });
  await recorder.call('listAuditEvents', { query: { user_id, resource: 'user', action: 'update', limit: '1' } });
  await recorder.call('exportUser', { path });
  const { erasure_id } = await recorder.call('deleteUser', { path });
  await recorder.call('getErasure', { path: { erasure_id } });
}
