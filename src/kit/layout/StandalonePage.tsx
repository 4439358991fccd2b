import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import { type ReactNode, useEffect } from 'react'

import { Logo } from './Logo.tsx'

interface Props {
  /** Title of the browser's tab. */
  title: string
  product: string
  /** Name of the page's organisation. */
  organisation?: string | undefined
  /** Content below the card. */
  foot?: ReactNode
  /** Width of the card in pixels. */
  width?: number
  children: ReactNode
}

const CARD_WIDTH = 416

/** A page outside the application's shell: one card in the middle, below the product's name. */
export function StandalonePage({ title, product, organisation, foot, width = CARD_WIDTH, children }: Props) {
  useEffect(() => {
    const before = document.title
    document.title = `${title} · ${product}`
    // The offline screen covers another page, whose title is restored.
    return () => {
      document.title = before
    }
  }, [title, product])
  return (
    <Box
      component="main"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        alignContent: { xs: 'start', sm: 'center' },
        justifyItems: 'center',
        gap: 3,
        minHeight: '100dvh',
        px: 2,
        py: { xs: 4, sm: 3 },
        fontSize: '1rem',
        '& .MuiInputBase-root, & .MuiFormControlLabel-label': { fontSize: '1rem' },
        '& .MuiFormHelperText-root': { fontSize: '0.875rem' },
      }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1.5,
          fontSize: '1.25rem',
          fontWeight: 600,
          letterSpacing: '-0.01em',
        }}
      >
        <Logo size={40} />
        <span>{product}</span>
      </Box>
      {organisation && (
        <Box
          dir="auto"
          sx={{
            maxWidth: width,
            mt: -2,
            fontSize: '1.125rem',
            textAlign: 'center',
            overflowWrap: 'anywhere',
          }}
        >
          {organisation}
        </Box>
      )}
      <Paper
        variant="outlined"
        sx={{
          width: '100%',
          maxWidth: width,
          px: { xs: 2.5, sm: 4 },
          py: { xs: 3, sm: 4 },
          overflowWrap: 'anywhere',
        }}
      >
        {children}
      </Paper>
      {foot}
    </Box>
  )
}
