export { createPriorityList, type PriorityList } from './priorities.js';
export { type PriorityWatch, type PriorityWatchOptions, watchPriorities } from './priority-watch.js';
