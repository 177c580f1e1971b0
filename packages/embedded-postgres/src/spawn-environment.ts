/**
 * Environment of the Postgres programs. Excludes the daemon's secrets, the user's language, and PG* variables that
 * would change behavior.
 */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { LC_ALL: 'C', LANG: 'C', TZ: 'UTC' };
  for (const name of ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP']) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
