import Box from '@mui/material/Box'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useId } from 'react'

import { SEVERITIES, type Severity } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { SEVERITY_ICONS } from '../list/SeverityIcon.tsx'

interface Props {
  value: Severity
  /** Exercises are never red. */
  exercise: boolean
  onChange: (severity: Severity) => void
}

export function SeverityField({ value, exercise, onChange }: Props) {
  const text = useText()
  const id = useId()
  const grave = exercise ? 'warning' : 'error'
  return (
    <div>
      <Box id={id} sx={{ mb: 0.5, fontWeight: 600 }}>
        {text('incidents.severity')}
      </Box>
      <ToggleButtonGroup
        exclusive
        value={value}
        aria-labelledby={id}
        onChange={(_, severity: Severity | null) => {
          if (severity) onChange(severity)
        }}
        sx={{
          minHeight: 40,
          width: { xs: '100%', sm: 'auto' },
          flexWrap: 'wrap',
          bgcolor: 'background.paper',
        }}
      >
        {SEVERITIES.map((severity) => (
          <ToggleButton
            key={severity}
            value={severity}
            color={severity === 'CRITICAL' || severity === 'HIGH' ? grave : 'primary'}
            sx={{
              flex: '1 1 auto',
              gap: 0.5,
              px: { xs: 0.5, sm: 1.5 },
              textTransform: 'none',
              '& svg': { fontSize: 18 },
            }}
          >
            {SEVERITY_ICONS[severity]}
            {text(`incidents.severities.${severity}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  )
}
