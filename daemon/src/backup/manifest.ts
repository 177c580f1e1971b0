import { z } from 'zod';

/** Version of the archive format. Increase it for changes that an older healthd cannot read. */
export const ARCHIVE_FORMAT = 1;

/** First entry of a backup: contents and schema of the archive. */
export const manifestSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  created_at: z.string(),
  /** Migrations of the database. The restore first brings a new database to the same point. */
  migrations: z.array(z.string()),
  /** Referenced tables first, so that restored rows never have a missing reference. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Names of the included spool files: uploads and deliveries that were not processed yet. */
  spool_files: z.array(z.string()),
  /** True if the connections lead to simulated vendors. Missing in older backups. */
  is_sandbox: z.boolean().default(false),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Entry names inside the archive. */
export const MANIFEST_ENTRY = 'manifest.json';
export const KEYS_ENTRY = 'keys.json';
export const ERASURES_ENTRY = 'erasures.jsonl';
export const tableEntry = (table: string): string => `tables/${table}.copy`;
export const spoolEntry = (name: string): string => `spool/${name}`;

/** The three keys that are required to decrypt tokens and verify logins in a restored database. */
export const keysSchema = z.object({ SECRET_KEY: z.string(), ENCRYPTION_KEY: z.string(), SIGNING_KEY: z.string() });
export type BackupKeys = z.infer<typeof keysSchema>;
