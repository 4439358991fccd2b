import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { type ReactNode, useMemo, useState } from 'react'

import type { DirectoryUser } from '#contract/users/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { type People, usePeople } from './usePeople.ts'

/**
 * The people that a picker offers: of those that a rule allows, the ones from outside once they are asked for, by a switch
 * to put below the picker.
 */
export function useChoosable(
  may: (user: DirectoryUser) => boolean,
  /** Whether people from outside are offered from the start, because some are chosen. */
  beginsWithExternals: (people: People) => boolean = () => false,
): {
  readonly people: People
  readonly choosable: readonly DirectoryUser[]
  readonly externalsSwitch: ReactNode
} {
  const text = useText()
  const people = usePeople()
  const allowed = useMemo(() => people.list.filter(may), [people, may])
  const [externals, setExternals] = useState(() => beginsWithExternals(people))
  const choosable = useMemo(
    () => (externals ? allowed : allowed.filter(({ type }) => type === 'INTERNAL')),
    [allowed, externals],
  )
  const externalsSwitch = allowed.some(({ type }) => type === 'EXTERNAL') && (
    <FormControlLabel
      control={
        <Switch
          size="small"
          sx={{ '& .MuiSwitch-thumb': { border: 1, borderColor: 'background.edge', boxShadow: 'none' } }}
          checked={externals}
          onChange={(_, checked) => setExternals(checked)}
        />
      }
      label={text('people.showExternals')}
      sx={{ mt: 0.5, ml: 0, gap: 1 }}
    />
  )
  return { people, choosable, externalsSwitch }
}
