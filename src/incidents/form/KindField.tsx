import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useId } from 'react'

import { useText } from '#src/kit/useText.ts'

import type { Kinds } from '../queries.ts'

interface Props {
  exercise: boolean
  kinds: Kinds
  onChange: (exercise: boolean) => void
}

/** Chooses incident or exercise. A kind that is limited to one is disabled while one is active. */
export function KindField({ exercise, kinds, onChange }: Props) {
  const text = useText()
  const id = useId()
  return (
    <div>
      <Box id={id} sx={{ mb: 0.5, fontWeight: 600 }}>
        {text('incidents.kind')}
      </Box>
      <RadioGroup
        aria-labelledby={id}
        value={exercise ? 'exercise' : 'incident'}
        onChange={(_, value) => onChange(value === 'exercise')}
        sx={{ display: 'grid', gap: 1, gridTemplateColumns: { sm: '1fr 1fr' } }}
      >
        {(['incident', 'exercise'] as const).map((kind) => {
          const chosen = exercise === (kind === 'exercise')
          const color = kind === 'exercise' ? 'warning' : 'error'
          return (
            <FormControlLabel
              key={kind}
              value={kind}
              disabled={!kinds[kind]}
              control={<Radio color={color} size="small" />}
              label={
                <>
                  <Box component="strong" sx={{ display: 'block', fontWeight: 600 }}>
                    {text(`incidents.${kind}`)}
                  </Box>
                  <Box component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
                    {text(kinds[kind] ? `incidents.kindText.${kind}` : `incidents.kindTaken.${kind}`)}
                  </Box>
                </>
              }
              sx={{
                alignItems: 'flex-start',
                m: 0,
                p: 1,
                border: '1px solid',
                borderColor: chosen ? `${color}.main` : 'background.edge',
                borderRadius: '6px',
                bgcolor: 'background.paper',
              }}
            />
          )
        })}
      </RadioGroup>
    </div>
  )
}
