import Box from '@mui/material/Box'

import type { Severity } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'

import { SEVERITY_ICONS } from './SeverityIcon.tsx'

/** The severity on a filled surface: shape and word in a frame of the text's colour. */
export function SeverityLabel({ severity }: { severity: Severity }) {
  const text = useText()
  const word = text(`app.severities.${severity}`)
  return (
    <Box
      component="span"
      sx={{
        flex: 'none',
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.5,
        px: 0.75,
        border: '1px solid',
        borderRadius: '6px',
        fontSize: '0.75rem',
        lineHeight: '20px',
        fontWeight: 600,
        '& svg': { fontSize: 16 },
      }}
    >
      {SEVERITY_ICONS[severity]}
      <span aria-hidden>{word}</span>
      <Box component="span" sx={visuallyHidden}>
        {text('app.severityIs', { severity: word })}
      </Box>
    </Box>
  )
}
