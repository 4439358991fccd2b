import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useLocaleState } from 'react-admin'
import { useId } from 'react'

import type { UserType } from '#contract/users/schema.ts'
import { useText } from '#src/kit/useText.ts'

import type { Decisions, HeldWord } from './readUsers.ts'

const TYPES = ['EXTERNAL', 'INTERNAL'] as const satisfies readonly UserType[]
/** Row numbers listed before the others are counted. */
const ROWS = 5

interface Props {
  held: readonly HeldWord[]
  decisions: Decisions
  onDecide: (decisions: Decisions) => void
}

function Word({ held: { word, rows }, type, onChoose }: WordProps) {
  const text = useText()
  const id = useId()
  const [locale] = useLocaleState()
  const more = rows.length - ROWS
  const named = [
    ...rows.slice(0, ROWS).map(String),
    ...(more > 0 ? [text('userImport.moreRows', { smart_count: more })] : []),
  ]
  const list = new Intl.ListFormat(locale).format(named)
  return (
    <Box
      component="li"
      sx={{ py: 0.5, display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2 }}
    >
      <Box id={id} sx={{ flex: '1 1 220px', minWidth: 0, overflowWrap: 'anywhere' }}>
        {text('userImport.held', { smart_count: rows.length, rows: list, word })}
      </Box>
      <RadioGroup
        row
        aria-labelledby={id}
        value={type ?? null}
        onChange={(_, chosen) => onChoose(chosen as UserType)}
      >
        {TYPES.map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            label={text(`userImport.types.${one}`)}
            control={<Radio size="small" />}
            sx={{ minHeight: { xs: 44, sm: 36 } }}
          />
        ))}
      </RadioGroup>
    </Box>
  )
}
interface WordProps {
  held: HeldWord
  type: UserType | undefined
  onChoose: (type: UserType) => void
}

/** Asks for the meaning of each word in the External column that is neither yes nor no. */
export function HeldWords({ held, decisions, onDecide }: Props) {
  const text = useText()
  if (held.length === 0) return null
  return (
    <Alert severity="warning">
      <AlertTitle>{text('userImport.heldTitle')}</AlertTitle>
      {text('userImport.heldHelp')}
      <Box
        component="ul"
        sx={{ m: 0, mt: 1, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
      >
        {held.map((one) => (
          <Word
            key={one.word}
            held={one}
            type={decisions[one.word]}
            onChoose={(type) => onDecide({ ...decisions, [one.word]: type })}
          />
        ))}
      </Box>
    </Alert>
  )
}
