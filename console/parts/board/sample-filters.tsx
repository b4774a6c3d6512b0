import { FILTER_NAMES, type SampleFilter } from '../../board/sample-filter.ts';

interface SampleFiltersProps {
  readonly filter: SampleFilter;
  readonly choices: Readonly<Record<keyof SampleFilter, readonly string[]>> | undefined;
  readonly onChange: (name: keyof SampleFilter, value: string) => void;
}

const LABELS: Readonly<Record<keyof SampleFilter, string>> = {
  db: 'Domain',
  difficulty: 'Difficulty',
  construct: 'SQL construct',
  length: 'Gold calls',
};

/** Which samples figures are over. */
export function SampleFilters({ filter, choices, onChange }: SampleFiltersProps) {
  return (
    <div class="filters">
      {FILTER_NAMES.map((name) => (
        <label>
          {LABELS[name]}
          <select value={filter[name]} onChange={({ currentTarget }) => onChange(name, currentTarget.value)}>
            <option value="">all</option>
            {(choices?.[name] ?? [filter[name]].filter(Boolean)).map((value) => (
              <option value={value} selected={value === filter[name]}>
                {value.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  );
}
