/**
 * The environment of the Postgres programs: none of the daemon's secrets, no language of the person who started it,
 * no PG* variable that would change what they do.
 */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { LC_ALL: 'C', LANG: 'C', TZ: 'UTC' };
  for (const name of ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP']) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
