export { feedCleaning } from './clean-feed.js';
export { beginEpoch, setFeed, setSelectionSettings } from './epoch.js';
export { Feed } from './feed.js';
export { type FeedLag, readFeedLag, watchFeed } from './feed-lag.js';
export { storeLastSync } from './last-sync.js';
export { addEvent, eraseChanges, type FeedEvent, recordIfOn, storeEvent } from './outbox.js';
export { readUserChanges } from './read-changes.js';
