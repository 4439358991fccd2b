import Box from '@mui/material/Box'

interface Props {
  label: string
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}

/** A plain checkbox: MUI's is too heavy for a long list. */
export const SelectBox = ({ label, isSelected, onSelect }: Props) => (
  <Box
    component="label"
    sx={{ flex: 'none', display: 'grid', placeItems: 'center', width: { xs: 44, sm: 28 }, height: 44 }}
  >
    <Box
      component="input"
      type="checkbox"
      aria-label={label}
      checked={isSelected}
      onChange={(event) => onSelect(event.target.checked)}
      sx={{ width: 18, height: 18, m: 0, accentColor: 'var(--m-palette-primary-main)' }}
    />
  </Box>
)
