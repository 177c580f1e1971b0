import { listSyncRuns, listUsers } from '@healthd/contract';
import { INTEGRATED_PROVIDER_IDS, SERIES_CODES } from '@healthd/model';
import type { Cli } from '../cli.js';
import { completionsOf } from '../commands/resources.js';
import { runId, userId } from '../commands/values.js';
import { profilePath, readProfile } from '../profile/profile-file.js';

/** A completion and its description. */
export interface Candidate {
  value: string;
  about: string;
}

const NAMED_KINDS = ['context', 'provider', 'key', 'app', 'developer', 'invitation'] as const;

type Kind = (typeof NAMED_KINDS)[number] | 'user' | 'run' | 'series';

const SHOWN = 50;

/** Returns the type of an argument or option by its parser, else by its name. */
export function candidatesFor(parse: unknown, name: string): Kind | undefined {
  if (parse === userId) return 'user';
  if (parse === runId) return 'run';
  if (name === 'providers') return 'provider';
  const named = NAMED_KINDS.find((kind) => kind === name);
  if (named) return named;
  return name === 'types' ? 'series' : undefined;
}

/** Returns completions of a type, or of a list of words. May omit values that do not start with the typed text. */
export async function valuesOf(
  cli: Cli,
  kind: Kind | readonly string[] | undefined,
  typed: string,
): Promise<Candidate[]> {
  if (typeof kind === 'object') return kind.map((value) => ({ value, about: '' }));
  switch (kind) {
    case 'user': {
      const query = { search: typed || undefined, limit: SHOWN };
      const { items } = await (await cli.client()).call(listUsers, { query, signal: cli.signal });
      return items.flatMap(({ id, email, first_name, last_name }) => {
        const about = [first_name, last_name, email].filter(Boolean).join(' ');
        return [{ value: id, about }, ...(email && typed ? [{ value: email, about: id }] : [])];
      });
    }
    case 'run': {
      const runs = await (await cli.client()).call(listSyncRuns, { query: { limit: SHOWN }, signal: cli.signal });
      return runs.map((run) => ({ value: run.run_id, about: `${run.provider} ${run.source} ${run.status}` }));
    }
    case 'key':
    case 'app':
    case 'developer':
    case 'invitation':
      return (await completionsOf(cli, kind)).map(([value, about]) => ({ value, about }));
    case 'provider':
      return INTEGRATED_PROVIDER_IDS.map((value) => ({ value, about: '' }));
    case 'series':
      return SERIES_CODES.map((value) => ({ value, about: '' }));
    case 'context': {
      const { contexts } = await readProfile(profilePath(cli.env));
      return Object.entries(contexts).map(([value, { url }]) => ({ value, about: url }));
    }
    default:
      return [];
  }
}
