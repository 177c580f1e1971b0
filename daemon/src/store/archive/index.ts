export { type ArchiveOptions, archiveUser } from './archive-user.js';
export { ensureStatistics } from './ensure-statistics.js';
export { type Expired, type ExpireOptions, expireUser, hasOldFigures } from './expire-user.js';
export { ARCHIVED_DATE } from './night-sources.js';
export { isNeverArchived } from './never-archived.js';
