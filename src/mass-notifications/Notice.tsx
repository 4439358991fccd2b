import CampaignRounded from '@mui/icons-material/CampaignRounded'
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded'
import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

interface Props {
  /** Absent for information. */
  tone?: 'warning' | 'error'
  children: ReactNode
}

/** A message to be read before acting. */
export function Notice({ tone, children }: Props) {
  const Icon = tone ? WarningAmberRounded : CampaignRounded
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        minHeight: 48,
        px: 2,
        py: 1,
        border: 1,
        borderColor: tone ? `${tone}.main` : 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
        '& > svg': { flex: 'none', color: tone ? `${tone}.main` : 'text.secondary' },
      }}
    >
      <Icon />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 0.5 }}>
        {children}
      </Box>
    </Box>
  )
}
