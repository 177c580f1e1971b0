export {
  type FitActivity,
  type FitDevice,
  type FitReading,
  type FitSession,
  readFitActivity,
} from './activity-file.js';
export { completeFromFile } from './file-figures.js';
export { FitError, type FitFault } from './fit-error.js';
