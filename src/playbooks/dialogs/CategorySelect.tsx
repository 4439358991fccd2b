import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useId } from 'react'

import { useText } from '#src/kit/useText.ts'

const ALL = 'all'
const NONE = 'none'
const valueOf = (id: string | null | undefined) => id ?? (id === null ? NONE : ALL)
const idOf = (value: string) => (value === ALL ? undefined : value === NONE ? null : value)

interface Props {
  label: string
  categories: readonly { readonly id: string; readonly name: string }[]
  /** Null for Uncategorized, undefined for all. */
  value: string | null | undefined
  onChange: (categoryId: string | null | undefined) => void
  /** Adds the choice of all categories, for filters. */
  hasAll?: boolean
  disabled?: boolean
}

export function CategorySelect({ label, categories, value, onChange, hasAll = false, disabled }: Props) {
  const text = useText()
  const id = useId()
  const isKnown = value == null || categories.some((one) => one.id === value)
  return (
    <TextField
      select
      fullWidth
      id={id}
      size="small"
      label={label}
      value={isKnown ? valueOf(value) : ''}
      disabled={disabled ?? false}
      onChange={(event) => onChange(idOf(event.target.value))}
      slotProps={{ select: { MenuProps: { slotProps: { paper: { sx: { maxHeight: 400 } } } } } }}
    >
      {hasAll && <MenuItem value={ALL}>{text('playbookDialogs.all')}</MenuItem>}
      {categories.map((one) => (
        <MenuItem key={one.id} value={one.id} dir="auto" sx={{ whiteSpace: 'normal' }}>
          {one.name}
        </MenuItem>
      ))}
      <MenuItem value={NONE}>{text('playbookDialogs.uncategorized')}</MenuItem>
    </TextField>
  )
}
