export { type FitActivity, type FitReading, readFitActivity } from './activity-file.js';
export { completeFromFile } from './file-figures.js';
export { FitError } from './fit-error.js';
