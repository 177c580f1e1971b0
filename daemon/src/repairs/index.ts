export { repairJob, repairSweeper } from './repair-job.js';
