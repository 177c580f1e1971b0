import type { WorkoutType } from '@healthd/model';

/**
 * Looks up the unified type of a vendor's sport. Compares letters and digits only, because vendors vary blanks,
 * hyphens, slashes, underscores and capitals.
 * @param names the vendor's names by unified type, separated by commas
 */
export function sportNames(names: Partial<Record<WorkoutType, string>>): (name: string) => WorkoutType | undefined {
  const known = new Map(
    Object.entries(names).flatMap(([type, list]) =>
      list.split(', ').map((name) => [lettersOf(name), type as WorkoutType] as const),
    ),
  );
  return (name) => known.get(lettersOf(name));
}

/** Returns the lower-case letters and digits of a name. */
export function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
