/**
 * A hint with its commands as they are typed here: in a checkout, where healthctl runs through npm, there is no
 * `healthctl` on the path.
 */
export function typedHere(hint: string, env: NodeJS.ProcessEnv = process.env): string {
  if (env.npm_lifecycle_event !== 'healthctl') return hint;
  return hint.replaceAll(/\bhealthctl (?=[a-z-])/g, 'npm run -s healthctl -- ');
}

/** A hint whose commands go to the service that this one was sent to. */
export function withService(hint: string, { url, context }: { url?: string; context?: string }): string {
  const options = [...(context ? [`--context ${context}`] : []), ...(url ? [`--url ${url}`] : [])];
  return hint.replaceAll(/\bhealthctl (?=[a-z])/g, ['healthctl', ...options, ''].join(' '));
}
