export { followPriorities } from './follow-priorities.js';
export { rankNewProviders } from './new-providers.js';
export { createPriorityList, type PriorityList } from './priority-list.js';
export { type Priorities, prioritiesOf } from './ranking.js';
