import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'

interface Props {
  /** Description of the running job. */
  text: string
  /** Accessible name of the bar. */
  label: string
  /** Progress in per cent; absent if unknown. */
  value?: number
  /** The reason why the progress is not updated. */
  warning?: string | undefined
}

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
