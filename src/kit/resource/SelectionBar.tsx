import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'

import { useDockedHeight } from '../layout/useDockedHeight.ts'
import { useText } from '../useText.ts'
import { ActionButton } from '../list/ActionButton.tsx'
import type { MenuPlace } from '../list/RowMenu.tsx'
import type { OfferedAction } from '../list/ActionButton.tsx'

/** Buttons in the bar of one record; with more actions the last one opens the menu with all of them. */
const BUTTONS = 3
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

interface Props {
  /** Names the bar. */
  label: string
  /** The selected record, or how many there are. */
  title: string
  actions: readonly OfferedAction[]
  /** Opens a menu with all actions, where only a few have buttons. */
  onMore?: ((place: MenuPlace) => void) | undefined
  phone: boolean
  onClear: () => void
}

/** Actions on the selection, below the table or at the foot of a phone's screen. */
export function SelectionBar({ label, title, actions, onMore, phone, onClear }: Props) {
  const text = useText()
  const bar = useDockedHeight()
  const hasMore = onMore !== undefined && actions.length > BUTTONS
  return (
    <Box
      ref={phone ? bar : undefined}
      role="region"
      aria-label={label}
      sx={{
        display: 'flex',
        flexWrap: onMore ? 'nowrap' : 'wrap',
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
      <Box
        component="strong"
        dir="auto"
        aria-live="polite"
        sx={{
          fontWeight: 600,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
          ...(phone && { flex: '1 0 60%' }),
        }}
      >
        {title}
      </Box>
      {(hasMore ? actions.slice(0, BUTTONS - 1) : actions).map((action) => (
        <ActionButton key={action.key} action={action} />
      ))}
      {hasMore && (
        <Button size="small" aria-haspopup="menu" onClick={(event) => onMore(event.currentTarget)}>
          {text('grid.more')}
        </Button>
      )}
    </Box>
  )
}
