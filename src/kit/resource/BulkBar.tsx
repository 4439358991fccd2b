import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'

import { useText } from '../useText.ts'
import { ActionButton } from './ActionButton.tsx'
import type { OfferedAction } from './useRowActions.tsx'

interface Props {
  count: number
  actions: readonly OfferedAction[]
  /** The list has other pages, where nothing is selected. */
  hasPages: boolean
  phone: boolean
  onClear: () => void
}

/** Above the bottom bar of a phone. */
const FOOT = {
  position: 'fixed',
  insetInline: 0,
  bottom: 'calc(56px + env(safe-area-inset-bottom))',
  zIndex: 'appBar',
  bgcolor: 'background.paper',
  borderTop: 1,
  borderColor: 'divider',
} as const

/** What can be done to the selected records together: below the table, or at the foot of a phone's screen. */
export function BulkBar({ count, actions, hasPages, phone, onClear }: Props) {
  const text = useText()
  return (
    <Box
      role="region"
      aria-label={text('grid.selection')}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1,
        minWidth: 0,
        px: 1,
        py: 0.5,
        ...(phone && FOOT),
      }}
    >
      <IconButton
        size={phone ? 'medium' : 'small'}
        aria-label={text('grid.clearSelection')}
        onClick={onClear}
        sx={{ color: 'text.secondary' }}
      >
        <CloseRounded />
      </IconButton>
      <Box component="strong" aria-live="polite" sx={{ fontWeight: 600, ...(phone && { flex: '1 0 60%' }) }}>
        {text(hasPages ? 'grid.severalOnPage' : 'grid.several', { smart_count: count })}
      </Box>
      {actions.map((action) => (
        <ActionButton key={action.key} action={action} />
      ))}
    </Box>
  )
}
