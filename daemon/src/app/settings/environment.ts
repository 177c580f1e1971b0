/** Returns the environment of this process: settings, and how npm or a terminal started it. */
export function environment(): NodeJS.ProcessEnv {
  return process.env;
}
