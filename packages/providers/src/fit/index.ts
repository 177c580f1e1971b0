export { type FitActivity, type FitReading, readFitActivity } from './activity-file.js';
export { FitError } from './fit-error.js';
