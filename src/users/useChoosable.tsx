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

/** The addresses of the people who can be chosen, as the server finds them by what is typed. */
function useFound(typed: string, isTargetable: boolean, withExternals: boolean, enabled: boolean) {
  const wanted = typed.trim().slice(0, SEARCH_MAX)
  const searchString = useDebounced(wanted, SEARCH_DELAY_MS)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['users', 'search', { searchString, isTargetable, withExternals }],
    queryFn: async ({ signal }) => {
      const query = {
        searchString,
        isTargetable: `${isTargetable}`,
        withExternals: `${withExternals}`,
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
  /** Only whom an incident can target. */
  readonly isTargetable?: boolean
  /** People from outside are never offered. */
  readonly isInternal?: boolean
  /** Addresses of who is chosen. People from outside are offered from the start where one of them is. */
  readonly chosen: readonly string[]
}

/**
 * A picker of people: what MUI's Autocomplete is told, whose options are addresses, and a switch to put below it that
 * offers people from outside, too. The server finds whom it offers, as one types.
 */
export function useChoosable({ isTargetable = false, isInternal = false, chosen }: Choice) {
  const text = useText()
  const { find, nameOf } = usePeople()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [switched, setSwitched] = useState<boolean | null>(null)
  const externals = !isInternal && (switched ?? chosen.some((email) => find(email)?.type === 'EXTERNAL'))
  const { data, isSearching } = useFound(typed, isTargetable, externals, isOpen || !isInternal)
  const emails = data?.emails ?? []
  const holdsTyped = (email: string) => {
    const words = `${nameOf(email)} ${find(email)?.department ?? ''} ${email}`
    return hasEachWord(typed.includes('@') ? words : words.slice(0, words.lastIndexOf('@')), typed.trim())
  }
  const picker = {
    // What was found before stays while the server searches only where it can be meant.
    options: isSearching ? emails.filter(holdsTyped) : emails,
    loading: isSearching && isOpen,
    loadingText: text('people.searching'),
    onOpen: () => setOpen(true),
    onInputChange: (_: SyntheticEvent, value: string, reason: string) =>
      setTyped(reason === 'input' ? value : ''),
    getOptionLabel: nameOf,
    getOptionKey: (email: string) => email,
    // The server found them.
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
  const externalsSwitch: ReactNode = data?.hasExternals && !isInternal && (
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
