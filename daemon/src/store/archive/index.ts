export { type ArchiveOptions, archiveUser } from './archive-user.js';
export { ARCHIVED_TYPE_IDS, isArchivedSeries } from './archived-series.js';
export { type Expired, type ExpireOptions, expireUser } from './expire-user.js';
