import type { HTMLAttributes, Key } from 'react'

import { fullName } from '#contract/users/rules.ts'
import type { DirectoryUser } from '#contract/users/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { filterPeople, PersonOption } from './PersonOption.tsx'

/** What every picker of people tells MUI's Autocomplete: how people are found, named and shown. */
export function usePersonOptions() {
  const text = useText()
  return {
    getOptionLabel: fullName,
    getOptionKey: ({ uuid }: DirectoryUser) => uuid,
    isOptionEqualToValue: (a: DirectoryUser, b: DirectoryUser) => a.uuid === b.uuid,
    filterOptions: filterPeople,
    autoHighlight: true,
    noOptionsText: text('people.nobodyFound'),
    openText: text('people.openList'),
    closeText: text('people.closeList'),
    renderOption: ({ key, ...props }: HTMLAttributes<HTMLLIElement> & { key: Key }, user: DirectoryUser) => (
      <li key={key} {...props}>
        <PersonOption user={user} />
      </li>
    ),
  }
}
