export { BackupError } from './failure.js';
export type { BackupKeys, Manifest } from './manifest.js';
export { checkTarget } from './output-file.js';
export { type RestoreOptions, restoreBackup } from './restore-backup.js';
export { type BackupOptions, writeBackup } from './write-backup.js';
