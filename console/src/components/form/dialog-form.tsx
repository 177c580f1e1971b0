import type { ReactNode } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { Problem } from '../problem.js';
import { fieldErrors, showFieldErrors } from './service-errors.js';

interface DialogFormProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** Calls the service; rejects with what it refused. */
  onSubmit: (values: Values) => Promise<unknown>;
  /** What the last call was refused with. */
  error: Error | null;
  /** What the button does. */
  action: string;
  /** What it does cannot be undone. */
  danger?: boolean;
  /** There is nothing to submit yet. */
  disabled?: boolean;
  /** Only the answer ends it, as `locked` of the dialog says. */
  locked?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The form of a dialog: its fields, what the service refused, and the buttons that end it. */
export function DialogForm<Values extends FieldValues>(props: DialogFormProps<Values>) {
  const { form, onSubmit, error, action, danger = false, disabled = false, locked = false, onClose, children } = props;
  const { isSubmitting } = useFormState({ control: form.control });
  const submit = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values);
    } catch (refused) {
      showFieldErrors(form, refused);
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
