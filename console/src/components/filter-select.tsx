interface FilterSelectProps<T extends string> {
  label: string;
  /** What is listed without this filter. */
  all: string;
  /** Values with their words. */
  options: readonly (readonly [value: T, words: string])[];
  value: T | undefined;
  onChange: (value: T | undefined) => void;
}

/** One filter of a list: everything, or one of a few values. */
export function FilterSelect<T extends string>({ label, all, options, value, onChange }: FilterSelectProps<T>) {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(options.find(([known]) => known === target.value)?.[0])}
    >
      <option value="">{all}</option>
      {options.map(([known, words]) => (
        <option key={known} value={known}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** The value of a filter in the address; one that is none of these does not filter. */
export function filterValue<T extends string>(
  options: readonly (readonly [value: T, words: string])[],
  text: string | null,
): T | undefined {
  return options.find(([known]) => known === text)?.[0];
}
