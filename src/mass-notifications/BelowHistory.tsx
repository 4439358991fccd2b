import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { useText } from '#src/kit/useText.ts'

/** The frame of a page that is reached from the history of notifications. */
export function BelowHistory({ title, children }: { title: string; children: ReactNode }) {
  const text = useText()
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 2,
        maxWidth: 1440,
        mx: 'auto',
        p: { xs: 2, md: 3 },
      }}
    >
      <PageTitle title={title} />
      <Button
        component={Link}
        to="/mass-notifications"
        startIcon={<ArrowBackRounded />}
        sx={{ justifySelf: 'start', ml: -1 }}
      >
        {text('massNotifications.backToHistory')}
      </Button>
      {children}
    </Box>
  )
}
