/** Spaces around what was typed or pasted are no part of it. */
export const TRIMMED = { setValueAs: (text: string) => text.trim() };

/** What only the service can judge further. */
export const EMAIL = { value: /^\S+@\S+$/, message: 'Enter an email address, such as name@example.org.' };
