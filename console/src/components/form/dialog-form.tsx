import type { ReactNode } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { Problem } from '../problem.js';
import { fieldErrors, showFieldErrors } from './service-errors.js';

interface DialogFormProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** Calls the service. Rejects with the service's error. */
  onSubmit: (values: Values) => Promise<unknown>;
  /** Error of the last call. */
  error: Error | null;
  /** Label of the button. */
  action: string;
  /** True if the action cannot be undone. */
  danger?: boolean;
  /** True if the form cannot be submitted yet. */
  disabled?: boolean;
  /** True if the dialog is locked until the response arrives. */
  locked?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Form of a dialog: fields, errors and buttons. */
export function DialogForm<Values extends FieldValues>(props: DialogFormProps<Values>) {
  const { form, onSubmit, error, action, danger = false, disabled = false, locked = false, onClose, children } = props;
  const { isSubmitting } = useFormState({ control: form.control });
  const submit = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values);
    } catch (error) {
      showFieldErrors(form, error);
    }
  });
  const isShownByFields = fieldErrors(error, Object.keys(form.getValues())).isComplete;
  return (
    <form onSubmit={submit} noValidate>
      {children}
      {error && !isShownByFields && <Problem error={error} />}
      <div className="row end">
        <button type="button" disabled={locked} onClick={onClose}>
          Cancel
        </button>
        <button
          type="submit"
          className={danger ? 'danger solid' : 'primary'}
          disabled={disabled || locked || isSubmitting}
        >
          {action}
        </button>
      </div>
    </form>
  );
}
