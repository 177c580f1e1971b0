export { rankNewProviders } from './priority-list.js';
export { followPriorities, PriorityStore } from './priority-store.js';
export type { Priorities } from './ranking.js';
