export { hasInstallation } from './cluster.js';
export { EmbeddedDatabaseError, type EmbeddedDatabaseProblem } from './errors.js';
export { lockHolder } from './file-lock.js';
export { isInOurNamespace, type LockHolder } from './lock-holder.js';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  runningEmbeddedUrl,
  startEmbeddedPostgres,
} from './server.js';
export type { Durability } from './tuning.js';
