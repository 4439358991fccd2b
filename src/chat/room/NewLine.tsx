import Box from '@mui/material/Box'

import { useText } from '#src/kit/useText.ts'

/** Line above the first message that was unread when the room was opened. */
export function NewLine() {
  const text = useText()
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        px: 2,
        py: 0.5,
        color: 'primary.main',
        fontSize: '0.75rem',
        fontWeight: 600,
        '&::before': { content: '""', flex: 1, borderTop: 1 },
      }}
    >
      {text('chat.newMessages')}
    </Box>
  )
}
