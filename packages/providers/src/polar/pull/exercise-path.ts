/** Exercises of the last days by their upload. */
export const LIST = '/v3/exercises';
/** Days since their upload for which the vendor lists exercises. */
export const LISTED_DAYS = 30;
const ID = /^[\w-]{1,64}$/;

/** The vendor's id of an exercise, which is a short text. */
export function exerciseIdOf(value: unknown): string | undefined {
  return typeof value === 'string' && ID.test(value) ? value : undefined;
}

/** The address of one exercise; undefined for what cannot be an id. */
export function exercisePath(id: string): string | undefined {
  return exerciseIdOf(id) === undefined ? undefined : `${LIST}/${id}`;
}
