import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

import { command as words } from '#providers/i18n/command.ts'

import { CommandStrip } from './CommandStrip.tsx'

/** Roles and the next update of the incident of a room, in the panel of the room. */
export const RoomCommand = ({ incidentId }: { incidentId: string }) => (
  <Box sx={{ px: 1, py: 1, borderTop: 1, borderColor: 'divider' }}>
    <Typography component="h3" sx={{ mb: 0.5, fontSize: '0.875rem', fontWeight: 600 }}>
      {words.title}
    </Typography>
    <CommandStrip incidentId={incidentId} isNarrow />
  </Box>
)
