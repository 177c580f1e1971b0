export { type AcceptServices, acceptPush } from './accept-push.js';
export { BodyMemoryBudget } from './body-memory-budget.js';
export { inboxCleaning } from './clean-inbox.js';
export { InboxCapacity } from './inbox-capacity.js';
export { type PushEnqueuer, pushJob, pushSweeper } from './push-job.js';
export type { ReceivedPush } from './pushed-body.js';
export { type PushLimits, receivePush } from './receive-push.js';
export { type BatchRetryServices, batchRetrier } from './retry-batch.js';
export { PUSH_FEATURES, readPhoneState } from './phone-state.js';
