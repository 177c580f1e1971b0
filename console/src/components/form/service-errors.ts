import { ApiError } from '@healthd/client';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

interface FieldErrors {
  /** Error messages by field name. */
  messages: ReadonlyMap<string, string>;
  /** True if all parts of the error belong to fields. */
  isComplete: boolean;
}

/**
 * Returns the service's errors by form field.
 * @param fields names of the form's fields, equal to the request's body or query members
 */
export function fieldErrors(error: unknown, fields: readonly string[]): FieldErrors {
  const problems = error instanceof ApiError ? error.problems : [];
  const ofFields = problems.flatMap(({ loc: [part, field], msg }) =>
    (part === 'body' || part === 'query') && typeof field === 'string' && fields.includes(field)
      ? [[field, msg] as const]
      : [],
  );
  return {
    // Keeps the first message per field.
    messages: new Map(ofFields.toReversed()),
    isComplete: problems.length > 0 && ofFields.length === problems.length,
  };
}

/** Shows the service's errors next to their fields and focuses the first one. */
export function showFieldErrors<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): void {
  const fields = Object.keys(form.getValues());
  const { messages } = fieldErrors(error, fields);
  const wrong = fields.filter((field) => messages.has(field));
  for (const [at, field] of wrong.entries()) {
    form.setError(field as Path<Values>, { type: 'service', message: messages.get(field) }, { shouldFocus: at === 0 });
  }
}
