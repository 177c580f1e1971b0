import { z } from 'zod';

/** Increased when the archive format changes so that an older healthd cannot read it. */
export const ARCHIVE_FORMAT = 1;

/** First entry of a backup: contents and schema of the archive. */
export const manifestSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  created_at: z.string(),
  /** Migrations of the database. The restore first brings a new database to the same point. */
  migrations: z.array(z.string()),
  /** In an order in which rows can be restored without breaking references. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Names of unread uploads in the spool. */
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

/** The three settings that are required to read a restored database's tokens and logins. */
export const keysSchema = z.object({ SECRET_KEY: z.string(), ENCRYPTION_KEY: z.string(), SIGNING_KEY: z.string() });
export type BackupKeys = z.infer<typeof keysSchema>;
