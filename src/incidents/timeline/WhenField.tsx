import Box from '@mui/material/Box'

import { MomentField } from '#src/kit/form/MomentField.tsx'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

/**
 * The time of an act, with room for the words below it: they go when the field loses the focus, and a button below
 * would move away from the pointer that presses it.
 */
export const WhenField = (props: Props) => (
  <Box sx={{ minHeight: { xs: 100, sm: 92 } }}>
    <MomentField fullWidth {...props} />
  </Box>
)
