import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useInput } from 'react-admin'
import { useState } from 'react'

import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import { call } from '#providers/api.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'
import { useText } from '#src/kit/useText.ts'

const SEARCH_DELAY_MS = 250
/** Options offered at a time; typing finds the others. */
const OFFERED = 20

interface Option {
  readonly id: string
  readonly name: string
  readonly code: string
}

/** The parent of a new organisation, searched on the server. */
export function ParentInput({ source }: { source: string }) {
  const text = useText()
  const { id, field, fieldState } = useInput({ source, format: undefined, parse: undefined })
  const [chosen, setChosen] = useState<Option | null>(null)
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const q = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const { data = [], isFetching } = useQuery({
    queryKey: ['management/organizations', 'parents', q],
    queryFn: async ({ signal }): Promise<Option[]> => {
      const query = {
        sort: '["displayName","ASC"]',
        range: `[0,${OFFERED - 1}]`,
        filter: JSON.stringify(q ? { q } : {}),
      }
      const found = await call(managedOrganisationsApi.list, { query, signal })
      return found.map(({ id: key, enterprise: { displayName, code } }) => ({
        id: key,
        name: displayName,
        code,
      }))
    },
    placeholderData: keepPreviousData,
    enabled: isOpen,
  })
  const problem = fieldState.error?.message
  return (
    <Autocomplete
      id={id}
      value={chosen}
      options={data}
      filterOptions={(options) => options}
      getOptionLabel={({ name }) => name}
      getOptionKey={(option) => option.id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      loading={isFetching}
      loadingText={text('management.organizations.searching')}
      noOptionsText={text('management.organizations.empty')}
      openText={text('people.openList')}
      closeText={text('people.closeList')}
      onOpen={() => setOpen(true)}
      onInputChange={(_, value, reason) => setTyped(reason === 'input' ? value : '')}
      onChange={(_, option) => {
        setChosen(option)
        field.onChange(option?.id ?? null)
      }}
      onBlur={field.onBlur}
      renderOption={({ key, ...props }, { name, code }) => (
        <li key={key} {...props}>
          {name} ({code})
        </li>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          inputRef={field.ref}
          label={text('management.organizations.fields.parent')}
          placeholder={text('management.organizations.noParent')}
          error={problem !== undefined}
          helperText={problem ?? text('management.organizations.parentHelp')}
        />
      )}
    />
  )
}
