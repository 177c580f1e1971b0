/** Returns the environment of this process: settings, and information from npm or a terminal. */
export function environment(): NodeJS.ProcessEnv {
  return process.env;
}
