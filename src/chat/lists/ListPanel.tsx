import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

import { useText } from '#src/kit/useText.ts'

/** Pixels of the text of a list that takes the place of a room. */
const WIDTH = 948

interface Props {
  title: string
  isBusy: boolean
  children: ReactNode
}

/** A list in the place of a room. */
export function ListPanel({ title, isBusy, children }: Props) {
  const text = useText()
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0, minHeight: 0 }}
    >
      <Box
        component="header"
        sx={{
          display: 'flex',
          alignItems: 'center',
          minHeight: 56,
          px: { xs: 0.5, md: 2 },
          borderBottom: 1,
          borderColor: 'divider',
          bgcolor: 'background.paper',
        }}
      >
        <IconButton
          component={Link}
          to="/chat"
          aria-label={text('chat.back')}
          sx={{ display: { md: 'none' }, width: 44, height: 44 }}
        >
          <ArrowBackRounded />
        </IconButton>
        <Typography variant="h3" component="h2" sx={{ px: { xs: 0.5, md: 0 } }}>
          {title}
        </Typography>
      </Box>
      <Box sx={{ flex: 1, overflowY: 'auto' }} aria-busy={isBusy}>
        <Box sx={{ maxWidth: WIDTH }}>{children}</Box>
      </Box>
    </Box>
  )
}
