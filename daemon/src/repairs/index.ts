export { repairJob, repairProgress, repairSweeper } from './repair-job.js';
