export { appendSyncEvent, recentSyncEvents } from './sync-event.js';
export { createSyncNotifier, SYNC_CHANNEL, type SyncNotifier } from './sync-notifier.js';
