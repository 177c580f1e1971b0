import { z } from 'zod';

/** Raised when the archive's form changes so that an older healthd cannot read it. */
export const ARCHIVE_FORMAT = 1;

/** First entry of a backup: what the archive holds and which schema it was taken from. */
export const manifestSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  created_at: z.string(),
  /** Migrations that the database had; the restore brings a new database to the same point first. */
  migrations: z.array(z.string()),
  /** In an order in which rows can be put back without breaking a reference. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Names of uploads in the spool that had not been read yet. */
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

/** The three settings without which tokens and logins of a restored database are lost. */
export const keysSchema = z.object({ SECRET_KEY: z.string(), ENCRYPTION_KEY: z.string(), SIGNING_KEY: z.string() });
export type BackupKeys = z.infer<typeof keysSchema>;
