import Box from '@mui/material/Box'

import { useText } from '#src/kit/useText.ts'

/** The first focusable element: skips the header and the menu. */
export function SkipLink() {
  const text = useText()
  return (
    <Box
      component="a"
      href="#content"
      onClick={(event) => {
        event.preventDefault()
        document.getElementById('content')?.focus()
      }}
      sx={{
        position: 'fixed',
        top: 8,
        left: 8,
        zIndex: 'tooltip',
        px: 2,
        py: 1,
        borderRadius: '6px',
        bgcolor: 'primary.main',
        color: 'primary.contrastText',
        transform: 'translateY(-200%)',
        '&:focus': { transform: 'none' },
      }}
    >
      {text('app.skipToContent')}
    </Box>
  )
}
