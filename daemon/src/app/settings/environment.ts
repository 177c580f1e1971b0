/** The environment of this process: settings, and what npm or a terminal says of how it was started. */
export function environment(): NodeJS.ProcessEnv {
  return process.env;
}
