/**
 * Rewrites the commands of a hint for this installation. A checkout runs healthctl through npm, without `healthctl` on
 * the path.
 */
export function hintForShell(hint: string, env: NodeJS.ProcessEnv = process.env): string {
  if (env.npm_lifecycle_event !== 'healthctl') return hint;
  return hint.replaceAll(/\bhealthctl (?=[a-z-])/g, 'npm run -s healthctl -- ');
}

/** Adds the options of the current service to the commands of a hint. */
export function withService(hint: string, { url, context }: { url?: string; context?: string }): string {
  const options = [...(context ? [`--context ${context}`] : []), ...(url ? [`--url ${url}`] : [])];
  return hint.replaceAll(/\bhealthctl (?=[a-z])/g, ['healthctl', ...options, ''].join(' '));
}
