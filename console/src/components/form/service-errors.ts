import { ApiError } from '@healthd/client';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

interface FieldErrors {
  /** What is wrong with a field, by its name. */
  messages: ReadonlyMap<string, string>;
  /** The error says nothing beside these. */
  isComplete: boolean;
}

/**
 * What the service refused about single fields of a form.
 * @param fields names of the form's fields, which are those of the body or the query of the request
 */
export function fieldErrors(error: unknown, fields: readonly string[]): FieldErrors {
  const problems = error instanceof ApiError ? error.problems : [];
  const ofFields = problems.flatMap(({ loc: [part, field], msg }) =>
    (part === 'body' || part === 'query') && typeof field === 'string' && fields.includes(field)
      ? [[field, msg] as const]
      : [],
  );
  return {
    // Of several messages about one field the first remains.
    messages: new Map(ofFields.toReversed()),
    isComplete: problems.length > 0 && ofFields.length === problems.length,
  };
}

/** Shows what the service refused beside the fields that it is about, and moves the focus to the first of them. */
export function showFieldErrors<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): void {
  const fields = Object.keys(form.getValues());
  const { messages } = fieldErrors(error, fields);
  const wrong = fields.filter((field) => messages.has(field));
  for (const [at, field] of wrong.entries()) {
    form.setError(field as Path<Values>, { type: 'service', message: messages.get(field) }, { shouldFocus: at === 0 });
  }
}
