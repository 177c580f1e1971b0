import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '@healthd/embedded-postgres';

/** The database of the service, wherever it runs. */
export interface OpenDatabase {
  url: string;
  /** The server in the data directory; undefined for a real one named by DATABASE_URL. */
  embedded: EmbeddedPostgres | undefined;
  /** Stops the embedded server; nothing for a real one. */
  close(): Promise<void>;
}

/**
 * The database that the settings name: a real server, or the embedded one, which is started.
 * @throws EmbeddedDatabaseError with a line that says what to do
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
