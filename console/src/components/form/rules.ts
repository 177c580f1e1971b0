/** Trims whitespace around the input. */
export const TRIMMED = { setValueAs: (text: string) => text.trim() };

/** Basic email check. The service validates the rest. */
export const EMAIL = { value: /^\S+@\S+$/, message: 'Enter an email address, such as name@example.org.' };
