import type { RouteSpec } from '@healthd/contract';

/** Formats the matrix: a row per route, a column per credential, deviations below. */
export function matrixText(
  credentials: readonly string[],
  rows: readonly { route: RouteSpec; said: readonly (string | number)[] }[],
  deviations: readonly string[],
): string {
  const name = ({ method, path }: RouteSpec) => `${method} ${path}`;
  const ask = ({ auth, scope }: RouteSpec) => (scope ? `${auth}/${scope}` : auth);
  const width = Math.max(...rows.map(({ route }) => name(route).length));
  const numbered = credentials.map((credential, at) => `  ${String(at + 1).padStart(2)}  ${credential}`);
  const head = `${''.padEnd(width)}  ${'takes'.padEnd(11)}${credentials.map((_, at) => String(at + 1).padStart(5)).join('')}`;
  const lines = rows.map(({ route, said }) => {
    const cells = said.map((verdict) => (verdict === 'open' ? 'yes' : String(verdict)).padStart(5)).join('');
    return `${name(route).padEnd(width)}  ${ask(route).padEnd(11)}${cells}`;
  });
  const count = `${rows.length} routes × ${credentials.length} credentials, ${deviations.length} deviations`;
  return ['Credentials:', ...numbered, '', head, ...lines, '', ...deviations, count, ''].join('\n');
}
