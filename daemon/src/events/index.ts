export { lastEventId } from './event-frames.js';
export { appendSyncEvent, recentSyncEvents } from './sync-event.js';
export { createSyncNotifier, SYNC_CHANNEL, type SyncNotifier } from './sync-notifier.js';
export { type StreamStart, type SyncStreamOptions, SyncStreams } from './sync-stream.js';
