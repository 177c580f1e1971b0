import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { type FieldOfForm, useFieldNotes } from './form-field.js';

interface CheckboxGroupProps<Values extends FieldValues> extends FieldOfForm<Values> {
  options: readonly (readonly [value: string, words: ReactNode])[];
}

/** Checkbox group. The field is the array of selected values; its default must be an array too. */
export function CheckboxGroup<Values extends FieldValues>(props: CheckboxGroupProps<Values>) {
  const { form, name, label, hint, rules, options } = props;
  const { notes, described } = useFieldNotes({ form, name, hint });
  return (
    <fieldset className="plain">
      <legend>{label}</legend>
      {options.map(([value, words]) => (
        <label key={value} className="check">
          <input type="checkbox" value={value} {...form.register(name, rules)} {...described} />
          <span>{words}</span>
        </label>
      ))}
      {notes}
    </fieldset>
  );
}
