import type { WorkoutType } from '@healthd/model';

/**
 * Looks up the unified type of a vendor's sport. Vendors write their own names with blanks, hyphens, slashes, underscores or
 * capitals: letters and digits alone are compared.
 * @param names the vendor's names by the type that they mean, separated by commas
 */
export function sportNames(names: Partial<Record<WorkoutType, string>>): (name: string) => WorkoutType | undefined {
  const known = new Map(
    Object.entries(names).flatMap(([type, list]) =>
      list.split(', ').map((name) => [lettersOf(name), type as WorkoutType] as const),
    ),
  );
  return (name) => known.get(lettersOf(name));
}

/** Lower-case letters and digits. */
export function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
