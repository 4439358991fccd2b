import SchoolRounded from '@mui/icons-material/SchoolRounded'
import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

import { filledSurface } from '#src/kit/theme/filledSurface.ts'
import { HEADER_HEIGHT } from '#src/kit/theme/theme.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  exercise: boolean
  children: ReactNode
}

/** Wraps a page of an incident. Exercises get an amber frame and a label, so that nobody takes them for real. */
export function ExerciseFrame({ exercise, children }: Props) {
  const text = useText()
  return (
    <Box
      data-exercise={exercise || undefined}
      sx={{
        ...(exercise && { boxShadow: 'inset 0 0 0 4px var(--m-palette-warning-main)' }),
        minHeight: `calc(100vh - ${HEADER_HEIGHT}px)`,
      }}
    >
      {exercise && (
        <Box
          sx={[
            {
              display: 'flex',
              alignItems: 'center',
              justifyContent: 'center',
              gap: 1,
              minHeight: 36,
              px: 2,
              py: 0.5,
              textAlign: 'center',
            },
            filledSurface('warning'),
          ]}
        >
          <SchoolRounded />
          <span>
            <strong>{text('incidents.exerciseMark')}</strong> {text('incidents.exerciseNote')}
          </span>
        </Box>
      )}
      <Box sx={{ maxWidth: 1440, mx: 'auto', p: { xs: 2, md: 3 } }}>{children}</Box>
    </Box>
  )
}
