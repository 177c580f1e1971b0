interface FilterSelectProps<T extends string> {
  label: string;
  /** Label of the option without a filter. */
  all: string;
  /** Values and their labels. */
  options: readonly (readonly [value: T, words: string])[];
  value: T | undefined;
  onChange: (value: T | undefined) => void;
}

/** Select for one list filter. */
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

/** Reads a filter value from the URL. Unknown values do not filter. */
export function filterValue<T extends string>(
  options: readonly (readonly [value: T, words: string])[],
  text: string | null,
): T | undefined {
  return options.find(([known]) => known === text)?.[0];
}
