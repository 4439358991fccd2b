import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'

interface Props {
  /** What is under way. */
  text: string
  /** Names the bar. */
  label: string
  /** Per cent; absent where it is not known. */
  value?: number
  /** Why nothing newer is known. */
  warning?: string | undefined
}

/** How far something is. */
export function JobProgress({ text, label, value, warning }: Props) {
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box role="status">{text}</Box>
      <LinearProgress
        {...(value === undefined ? {} : { variant: 'determinate', value })}
        aria-label={label}
        sx={{ height: 6, borderRadius: 1 }}
      />
      {warning !== undefined && <Alert severity="warning">{warning}</Alert>}
    </Box>
  )
}
