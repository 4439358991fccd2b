import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'

const SIZE = 56

/** A ring of progress with both numbers inside. */
export function ProgressRing({ value, total, label }: { value: number; total: number; label: string }) {
  const ring = { variant: 'determinate', size: SIZE, thickness: 5 } as const
  return (
    <Box sx={{ position: 'relative', flex: 'none', width: SIZE, height: SIZE }}>
      <CircularProgress {...ring} value={100} aria-hidden sx={{ position: 'absolute', color: 'divider' }} />
      <CircularProgress
        {...ring}
        value={total === 0 ? 0 : (value / total) * 100}
        color={value === total ? 'success' : 'primary'}
        aria-label={label}
        sx={{ position: 'absolute' }}
      />
      <Box
        aria-hidden
        sx={{
          position: 'absolute',
          inset: 0,
          display: 'grid',
          placeItems: 'center',
          fontSize: total > 99 ? '0.625rem' : '0.75rem',
          fontWeight: 600,
        }}
      >
        {value}/{total}
      </Box>
    </Box>
  )
}
