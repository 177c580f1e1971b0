/**
 * A hint with its commands as they are typed here: whoever runs healthctl from a checkout through npm has no `healthctl`
 * on the path.
 */
export function typedHere(hint: string, env: NodeJS.ProcessEnv = process.env): string {
  if (env.npm_lifecycle_event !== 'healthctl') return hint;
  return hint.replaceAll(/\bhealthctl (?=[a-z-])/g, 'npm run -s healthctl -- ');
}
