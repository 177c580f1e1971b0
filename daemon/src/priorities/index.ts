export { createPriorityList, type PriorityList } from './priority-list.js';
export { type PriorityWatch, type PriorityWatchOptions, watchPriorities } from './priority-watch.js';
export { type Priorities, prioritiesOf } from './ranking.js';
