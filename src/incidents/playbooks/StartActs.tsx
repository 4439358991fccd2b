import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { useId } from 'react'

import { chatAccess } from '#contract/chat/access.ts'
import type { StartAct } from '#contract/incidents/schema.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import { canStart, startActsOf } from '#contract/playbooks/rules.ts'
import type { PlaybookStart } from '#contract/playbooks/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { useText } from '#src/kit/useText.ts'
import { useStartWords } from '#src/playbooks/useStartWords.ts'

interface Props {
  start: PlaybookStart
  /** True while the incident gets a room. */
  hasRoom: boolean
  left: readonly StartAct[]
  onChange: (left: StartAct[]) => void
}

/**
 * The acts of a playbook at the start of an incident, each of which can be left out. The room is asked for by its own
 * switch; a message needs it.
 */
export function StartActs({ start, hasRoom, left, onChange }: Props) {
  const text = useText()
  const id = useId()
  const can = useCan()
  const wordsOf = useStartWords(start)
  const canChat = can(chatAccess)
  const rights = { canOpenRoom: canChat, canChat, canNotify: can(massNotificationsAccess) }
  const acts = startActsOf(start)
  if (acts.length === 0) return null
  const problemOf = (act: StartAct) => {
    if (!canStart(act, rights)) return text('incidents.startNotAllowed')
    return act === 'MESSAGE' && !hasRoom ? text('incidents.startNeedsRoom') : undefined
  }
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 0.5 }}>
      <Typography id={id} variant="subtitle2" component="h2">
        {text('playbooks.atStart')}
      </Typography>
      <Typography color="textSecondary">{text('incidents.startText')}</Typography>
      {acts
        .filter((act) => act !== 'ROOM' || problemOf(act) !== undefined)
        .map((act) => {
          const problem = problemOf(act)
          return (
            <FormControlLabel
              key={act}
              disabled={problem !== undefined}
              control={
                <Checkbox
                  size="small"
                  checked={problem === undefined && !left.includes(act)}
                  onChange={(_, isWanted) =>
                    onChange(isWanted ? left.filter((one) => one !== act) : [...left, act])
                  }
                />
              }
              label={
                <>
                  <Box component="span" dir="auto" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
                    {wordsOf(act)}
                  </Box>
                  {problem && (
                    <Box component="span" sx={{ display: 'block', fontSize: '0.8125rem' }}>
                      {problem}
                    </Box>
                  )}
                </>
              }
            />
          )
        })}
    </Box>
  )
}
