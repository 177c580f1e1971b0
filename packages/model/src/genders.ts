/** Possible genders in a personal record. */
export const GENDERS = ['female', 'male', 'nonbinary', 'other'] as const;
export type Gender = (typeof GENDERS)[number];
