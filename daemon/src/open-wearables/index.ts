export { readApiKeys } from './copy-accounts.js';
export {
  type MigrationOptions,
  type MigrationProgress,
  type MigrationReport,
  migrateFrom,
  readUsers,
} from './migrate-from.js';
export { reportLines } from './report-lines.js';
export { parseSourceAddress, type SourceAddress } from './source-address.js';
export { openSourceDatabase, type SourceDatabase } from './source-database.js';
export { requireSourceShape } from './source-shape.js';
export { type Survey, surveySource } from './survey.js';
export { type ExistingCounts, figure, surveyLines } from './survey-lines.js';
