import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '@healthd/embedded-postgres';

/** The service's database, on an external or the embedded server. */
export interface OpenDatabase {
  url: string;
  /** The server in the data directory; undefined for an external server in DATABASE_URL. */
  embedded: EmbeddedPostgres | undefined;
  /** Stops the embedded server; does nothing for an external server. */
  close(): Promise<void>;
}

/**
 * Opens the configured database: an external server, or the embedded server, which this call starts.
 * @throws EmbeddedDatabaseError whose message contains the remedy
 */
export async function openDatabase(
  settings: { databaseUrl?: string | undefined; dataDir: string },
  options: Omit<EmbeddedPostgresOptions, 'dataDir' | 'durability'> = {},
): Promise<OpenDatabase> {
  if (settings.databaseUrl !== undefined) {
    return { url: settings.databaseUrl, embedded: undefined, close: async () => undefined };
  }
  const embedded = await startEmbeddedPostgres({ dataDir: settings.dataDir, ...options });
  return { url: embedded.url, embedded, close: () => embedded.stop() };
}
