export { followPriorities } from './follow-priorities.js';
export { rankNewProviders } from './new-providers.js';
export { PriorityStore } from './priority-store.js';
export type { Priorities } from './ranking.js';
