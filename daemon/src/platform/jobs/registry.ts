import type { JobDefinition } from './definition.js';
import { JobFailure } from './failures.js';

/**
 * Every job name has exactly one handler, or the start fails.
 *
 * @param names the names that services enqueue; without it only doubled handlers are looked for
 * @throws JobFailure `job_registry_invalid`, naming all that is wrong
 */
export function assertRegistry(definitions: readonly JobDefinition[], names?: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const { name } of definitions) counts.set(name, (counts.get(name) ?? 0) + 1);
  const problems = [...counts].filter(([, count]) => count > 1).map(([name]) => `${name} has two handlers`);
  if (names !== undefined) {
    problems.push(...names.filter((name) => !counts.has(name)).map((name) => `${name} has no handler`));
    const known = new Set(names);
    problems.push(
      ...[...counts.keys()].filter((name) => !known.has(name)).map((name) => `${name} is enqueued by nobody`),
    );
  }
  if (problems.length > 0) {
    throw new JobFailure('job_registry_invalid', 'Every job needs exactly one handler', problems.join('; '));
  }
}
