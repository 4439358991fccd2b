import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type HTMLAttributes, type Key, type ReactNode, type SyntheticEvent, useState } from 'react'

import { usersApi } from '#contract/users/api.ts'
import { call } from '#providers/api.ts'
import { people, usePeople } from '#providers/people.ts'
import { hasEachWord } from '#src/kit/browser/hasEachWord.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'
import { useText } from '#src/kit/useText.ts'

import { PersonOption } from './PersonOption.tsx'

const SEARCH_DELAY_MS = 150
const SEARCH_MAX = 255

/** People among whom a search looks. */
interface Scope {
  readonly isTargetable: boolean
  readonly withExternals: boolean
  readonly onlyExternals: boolean
}

/** Addresses of people who can be chosen, searched on the server. */
function useFound(typed: string, { isTargetable, withExternals, onlyExternals }: Scope, enabled: boolean) {
  const wanted = typed.trim().slice(0, SEARCH_MAX)
  const searchString = useDebounced(wanted, SEARCH_DELAY_MS)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['users', 'search', { searchString, isTargetable, withExternals, onlyExternals }],
    queryFn: async ({ signal }) => {
      const query = {
        searchString,
        isTargetable: `${isTargetable}`,
        withExternals: `${withExternals}`,
        ...(onlyExternals && { onlyExternals: 'true' as const }),
      } as const
      const { users, hasExternals } = await call(usersApi.search, { query, signal })
      people.learn(users)
      return { emails: users.map(({ email }) => email), hasExternals }
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled,
  })
  return { data, isSearching: !data || isPlaceholderData || searchString !== wanted }
}

interface Choice {
  /** Offers only people whom an incident can target. */
  readonly isTargetable?: boolean
  /** Never offers external people. */
  readonly isInternal?: boolean
  /** Offers external people alone. */
  readonly isExternal?: boolean
  /** Addresses of the chosen people. External people are offered from the start if one of them is external. */
  readonly chosen: readonly string[]
}

/** True if the organisation has external people whom an incident can target. */
export function useHasExternals(): boolean {
  const scope = { isTargetable: true, withExternals: false, onlyExternals: false }
  return useFound('', scope, true).data?.hasExternals ?? false
}

/**
 * Props of MUI's Autocomplete for a picker of people by address, and a switch that offers external people.
 * The server searches.
 */
export function useChoosable({
  isTargetable = false,
  isInternal = false,
  isExternal = false,
  chosen,
}: Choice) {
  const text = useText()
  const { find, nameOf } = usePeople()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [switched, setSwitched] = useState<boolean | null>(null)
  const isOffered = () => switched ?? chosen.some((email) => find(email)?.type === 'EXTERNAL')
  const externals = isExternal || (!isInternal && isOffered())
  const { data, isSearching } = useFound(
    typed,
    { isTargetable, withExternals: externals, onlyExternals: isExternal },
    isOpen || !isInternal,
  )
  const emails = data?.emails ?? []
  const holdsTyped = (email: string) => {
    const words = `${nameOf(email)} ${find(email)?.department ?? ''} ${email}`
    return hasEachWord(typed.includes('@') ? words : words.slice(0, words.lastIndexOf('@')), typed.trim())
  }
  const picker = {
    // Earlier results stay during a search if they match the text.
    options: isSearching ? emails.filter(holdsTyped) : emails,
    loading: isSearching && isOpen,
    loadingText: text('people.searching'),
    onOpen: () => setOpen(true),
    onInputChange: (_: SyntheticEvent, value: string, reason: string) =>
      setTyped(reason === 'input' ? value : ''),
    getOptionLabel: nameOf,
    getOptionKey: (email: string) => email,
    // The server has filtered already.
    filterOptions: (emails: string[]) => emails,
    autoHighlight: true,
    noOptionsText: text('people.nobodyFound'),
    openText: text('people.openList'),
    closeText: text('people.closeList'),
    renderOption: ({ key, ...props }: HTMLAttributes<HTMLLIElement> & { key: Key }, email: string) => (
      <li key={key} {...props}>
        <PersonOption email={email} person={find(email) ?? undefined} />
      </li>
    ),
  }
  const externalsSwitch: ReactNode = data?.hasExternals && !isInternal && !isExternal && (
    <FormControlLabel
      control={
        <Switch
          size="small"
          sx={{ '& .MuiSwitch-thumb': { border: 1, borderColor: 'background.edge', boxShadow: 'none' } }}
          checked={externals}
          onChange={(_, checked) => setSwitched(checked)}
        />
      }
      label={text('people.showExternals')}
      sx={{ mt: 0.5, ml: 0, gap: 1 }}
    />
  )
  return { picker, externalsSwitch, typed }
}
