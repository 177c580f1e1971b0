export { feedCleaning } from './clean-feed.js';
export { beginEpoch, setFeed } from './epoch.js';
export { Feed } from './feed.js';
export { eraseChanges, type FeedEvent, storeEvent } from './outbox.js';
export { readUserChanges } from './read-changes.js';
