import DarkModeRounded from '@mui/icons-material/DarkModeRounded'
import LightModeRounded from '@mui/icons-material/LightModeRounded'
import SettingsBrightnessRounded from '@mui/icons-material/SettingsBrightnessRounded'
import ListItemIcon from '@mui/material/ListItemIcon'
import MenuItem from '@mui/material/MenuItem'
import { useColorScheme } from '@mui/material/styles'

import { useText } from '../useText.ts'

const CHOICES = [
  { mode: 'system', icon: <SettingsBrightnessRounded />, label: 'kit.system' },
  { mode: 'light', icon: <LightModeRounded />, label: 'kit.light' },
  { mode: 'dark', icon: <DarkModeRounded />, label: 'kit.dark' },
] as const

/** Menu items that choose the colour scheme. */
export function ColorSchemeToggle(props: { autoFocus?: boolean }) {
  const text = useText()
  const { mode, setMode } = useColorScheme()
  return CHOICES.map((choice, index) => (
    <MenuItem
      key={choice.mode}
      role="menuitemradio"
      aria-checked={mode === choice.mode}
      selected={mode === choice.mode}
      autoFocus={props.autoFocus === true && index === 0}
      onClick={() => setMode(choice.mode)}
    >
      <ListItemIcon>{choice.icon}</ListItemIcon>
      {text(choice.label)}
    </MenuItem>
  ))
}
