export { exportUser } from './export-user.js';
