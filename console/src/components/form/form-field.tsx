import { type ReactNode, useId } from 'react';
import {
  type FieldValues,
  type Path,
  type RegisterOptions,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useFormState,
} from 'react-hook-form';

/** What a field of a form has, however it is filled in. */
export interface FieldOfForm<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** As the service calls it, so that what it refuses is shown beside this field. */
  name: Path<Values>;
  label: ReactNode;
  /** What helps to fill it in; shown below it. */
  hint?: ReactNode;
  rules?: RegisterOptions<Values, Path<Values>>;
}

interface FormFieldProps<Values extends FieldValues> extends FieldOfForm<Values> {
  /** The input or select, to which what it is given belongs. */
  children: (control: FieldControl) => ReactNode;
}

interface FieldControl extends UseFormRegisterReturn {
  id: string;
  'aria-required': true | undefined;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

/** A label, the input below it, what helps, and what is wrong with what was entered. */
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

/** The hint and the error of a field, and the attributes by which its control refers to them. */
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
