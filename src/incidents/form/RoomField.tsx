import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'

import { useText } from '#src/kit/useText.ts'

interface Props {
  value: boolean
  onChange: (wished: boolean) => void
}

/** Asks for a breakout room (operations §3 "Incident form values"). */
export function RoomField({ value, onChange }: Props) {
  const text = useText()
  return (
    <FormControlLabel
      control={
        <Switch
          sx={{ '& .MuiSwitch-thumb': { border: 1, borderColor: 'background.edge', boxShadow: 'none' } }}
          checked={value}
          onChange={(_, checked) => onChange(checked)}
        />
      }
      label={
        <>
          <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
            {text('incidents.room')}
          </Box>
          <Box component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
            {text('incidents.roomText')}
          </Box>
        </>
      }
      sx={{ ml: -1, gap: 1 }}
    />
  )
}
