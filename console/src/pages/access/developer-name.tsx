import type { DeveloperResponse } from '@healthd/schemas';
import { None } from '../../components/none.js';
import { useDevelopers } from '../../hooks/use-developers.js';

/** Returns the developer's name, or the email if there is no name. */
export function developerName({ first_name: first, last_name: last, email }: DeveloperResponse): string {
  return [first, last].filter(Boolean).join(' ') || email;
}

/** Shows a developer by id, or marks the developer as deleted. Shows the id if the list cannot be loaded. */
export function DeveloperName({ id }: { id: string | null }) {
  const developers = useDevelopers();
  if (id === null) return <None />;
  const developer = developers.data?.find((one) => one.id === id);
  if (developer) return <span title={developer.email}>{developerName(developer)}</span>;
  const short = id.slice(0, 8);
  if (!developers.data) return <span title={id}>{developers.isPending ? '' : short}</span>;
  return <span className="muted">deleted ({short})</span>;
}
