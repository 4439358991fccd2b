import { useListFilterContext } from 'react-admin'

import { SearchBox } from '../list/SearchBox.tsx'

/** Searches the list around it. */
export function ListSearch({ label }: { label: string }) {
  const { filterValues, setFilters } = useListFilterContext()
  return (
    <SearchBox
      label={label}
      value={filterValues.q ?? ''}
      onSearch={(q) => setFilters({ ...filterValues, q })}
    />
  )
}
