import { type ReactNode, useId } from 'react';
import {
  type FieldValues,
  type Path,
  type RegisterOptions,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useFormState,
} from 'react-hook-form';

/** Properties of every form field. */
export interface FieldOfForm<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** Field name in the API, so that the service's errors appear next to this field. */
  name: Path<Values>;
  label: ReactNode;
  /** Hint below the field. */
  hint?: ReactNode;
  rules?: RegisterOptions<Values, Path<Values>>;
}

interface FormFieldProps<Values extends FieldValues> extends FieldOfForm<Values> {
  /** Renders the input or select with the provided attributes. */
  children: (control: FieldControl) => ReactNode;
}

interface FieldControl extends UseFormRegisterReturn {
  id: string;
  'aria-required': true | undefined;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

/** Label, input, hint and error of a field. */
export function FormField<Values extends FieldValues>(props: FormFieldProps<Values>) {
  const { form, name, label, hint, rules, children } = props;
  const id = useId();
  const { notes, described } = useFieldNotes({ form, name, hint });
  const isRequired = rules?.required ? true : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {children({ ...form.register(name, rules), ...described, id, 'aria-required': isRequired })}
      </label>
      {notes}
    </div>
  );
}

/** Returns the field's hint and error, and the ARIA attributes that refer to them. */
export function useFieldNotes<Values extends FieldValues>({
  form,
  name,
  hint,
}: Pick<FieldOfForm<Values>, 'form' | 'name' | 'hint'>) {
  const id = useId();
  const error = form.getFieldState(name, useFormState({ control: form.control, name })).error?.message;
  const shown = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean);
  return {
    described: {
      'aria-invalid': error !== undefined,
      'aria-describedby': shown.length > 0 ? shown.join(' ') : undefined,
    },
    notes: (
      <>
        {error && (
          <small className="field-error" id={`${id}-error`}>
            {error}
          </small>
        )}
        {hint && (
          <small className="muted" id={`${id}-hint`}>
            {hint}
          </small>
        )}
      </>
    ),
  };
}
