import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'

import { ActionButton } from '#src/kit/list/ActionButton.tsx'
import type { OfferedAction } from '#src/kit/list/ActionButton.tsx'
import { useText } from '#src/kit/useText.ts'

interface Props {
  count: number
  actions: readonly OfferedAction[]
  onClear: () => void
}

/** Actions on the selected files and folders, below the list. */
export function ItemSelectionBar({ count, actions, onClear }: Props) {
  const text = useText()
  return (
    <Box
      role="region"
      aria-label={text('files.selection')}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, minWidth: 0, pl: 1, py: 0.5 }}
    >
      <IconButton
        size="small"
        aria-label={text('grid.clearSelection')}
        onClick={onClear}
        sx={{ color: 'text.secondary' }}
      >
        <CloseRounded />
      </IconButton>
      <Box component="strong" aria-live="polite" sx={{ fontWeight: 600 }}>
        {text('files.selected', { smart_count: count })}
      </Box>
      {actions.map((action) => (
        <ActionButton key={action.key} action={action} />
      ))}
    </Box>
  )
}
