import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

import { incidentsAccess } from '#contract/incidents/access.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { communicationTestAccess } from '#contract/readiness/access.ts'
import { type Line, type LineName, linesOf } from '#contract/readiness/rules.ts'
import type { Gap, Readiness } from '#contract/readiness/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

/** Presses that open a dialog of the board. */
export type Press = { readonly gap: Gap } | 'activate' | 'test'
interface Props {
  board: Readiness
  onPress: (press: Press) => void
}

/** Addresses that mend a line. */
const ADDRESSES: { readonly [L in LineName]?: string } = {
  EXERCISE: '/incidents/create?kind=exercise',
  PLAYBOOKS: '/playbooks?review=due',
}
const isSince = (name: LineName): name is 'TEST' | 'EXERCISE' => name === 'TEST' || name === 'EXERCISE'

/** The words of a line. */
function useWords(): (line: Line) => string {
  const text = useText()
  const [locale] = useLocaleState()
  return ({ name, count, total }) => {
    if (isSince(name)) {
      const words = `readiness.since.${name}` as const
      if (count === null) return text(`${words}.never`)
      return count === 0 ? text(`${words}.today`) : text(`${words}.days`, { smart_count: count })
    }
    const words = `readiness.lines.${name}` as const
    if (!count) return text(`${words}.none`)
    return text(`${words}.count`, { smart_count: count, total: formatNumber(locale, total ?? 0) })
  }
}

/** The one press that mends a line; null for a visitor who may not. */
function usePress({ board, onPress }: Props): (line: Line) => ReactNode {
  const text = useText()
  const can = useCan()
  const canTest = board.canTest && can(communicationTestAccess)
  const button = (label: string, press: Press) => (
    <Button variant="outlined" size="small" onClick={() => onPress(press)} sx={PRESS}>
      {label}
    </Button>
  )
  return ({ name, isToMend }) => {
    if (!isToMend) return null
    if (name === 'EXERCISE' || name === 'PLAYBOOKS') {
      const access = name === 'EXERCISE' ? incidentsAccess.write : playbooksAccess.read
      return can(access) ? (
        <Button component={Link} to={ADDRESSES[name]!} variant="outlined" size="small" sx={PRESS}>
          {text(`readiness.mends.${name}`)}
        </Button>
      ) : null
    }
    if (name === 'TEST') return canTest ? button(text('readiness.mends.TEST'), 'test') : null
    if (name === 'NEVER_SIGNED_IN' && board.invitable > 0)
      return button(text('readiness.mends.NEVER_SIGNED_IN'), 'activate')
    if (name === 'NUMBER_UNPROVED' && canTest) return button(text('readiness.mends.TEST'), 'test')
    return button(text('readiness.showPeople'), { gap: name })
  }
}
const PRESS = { minHeight: { xs: 44, sm: 36 } } as const

/** The lines of the board: what is to be mended first, each with its press, and then what is in order. */
export function Lines(props: Props) {
  const text = useText()
  const wordsOf = useWords()
  const pressOf = usePress(props)
  const { board, onPress } = props
  const lines = linesOf(board)
  const ordered = [...lines.filter(({ isToMend }) => isToMend), ...lines.filter(({ isToMend }) => !isToMend)]
  return (
    <Box
      component="ul"
      sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
    >
      {ordered.map((line) => {
        const { name, isToMend } = line
        const Icon = isToMend ? WarningAmberRounded : CheckCircleRounded
        const people = isToMend && !isSince(name) && name !== 'PLAYBOOKS' ? name : null
        const press = pressOf(line)
        const showsPeople = people !== null && (people === 'NEVER_SIGNED_IN' || people === 'NUMBER_UNPROVED')
        return (
          <Box
            key={name}
            component="li"
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              columnGap: 1.5,
              rowGap: 0.5,
              py: 1.25,
            }}
          >
            <Icon color={isToMend ? 'warning' : 'success'} sx={{ flex: 'none' }} />
            <Box sx={{ flex: '1 1 220px', minWidth: 0, color: isToMend ? 'text.primary' : 'text.secondary' }}>
              <Box component="span" sx={visuallyHidden}>
                {text(isToMend ? 'readiness.attention' : 'readiness.inOrder')}{' '}
              </Box>
              {wordsOf(line)}
              {name === 'TEST' && board.testProblem !== null && (
                <Box dir="auto" sx={{ color: 'text.secondary' }}>
                  {board.testProblem}
                </Box>
              )}
            </Box>
            {(press !== null || people !== null) && (
              <Box
                sx={{
                  display: 'flex',
                  flexWrap: 'wrap',
                  gap: 1,
                  pl: { xs: 4, sm: 0 },
                  width: { xs: '100%', sm: 'auto' },
                }}
              >
                {showsPeople && (
                  <Button size="small" onClick={() => onPress({ gap: people })} sx={PRESS}>
                    {text('readiness.showPeople')}
                  </Button>
                )}
                {press}
              </Box>
            )}
          </Box>
        )
      })}
      {board.secondFactor === null && (
        <Box component="li" sx={{ py: 1.25, pl: 4, color: 'text.secondary' }}>
          {text('readiness.factorOff')}
        </Box>
      )}
    </Box>
  )
}
