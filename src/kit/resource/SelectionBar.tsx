import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'

import { ActionButton } from './ActionButton.tsx'
import type { MenuPlace } from './RowMenu.tsx'
import type { OfferedAction } from './useRowActions.tsx'
import { useText } from '../useText.ts'

/** Buttons in the bar; with more actions the last one opens the menu with all of them. */
const BUTTONS = 3

interface Props {
  name: string
  actions: readonly OfferedAction[]
  onMore: (place: MenuPlace) => void
  onClear: () => void
}

/** What can be done to the selected record, below the list. */
export function SelectionBar({ name, actions, onMore, onClear }: Props) {
  const text = useText()
  const all = actions.length <= BUTTONS
  return (
    <Box
      role="region"
      aria-label={text('grid.selected', { name })}
      sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0, pl: 1 }}
    >
      <IconButton
        size="small"
        aria-label={text('grid.clearSelection')}
        onClick={onClear}
        sx={{ color: 'text.secondary' }}
      >
        <CloseRounded />
      </IconButton>
      <Box
        component="strong"
        dir="auto"
        sx={{ fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      >
        {name}
      </Box>
      {(all ? actions : actions.slice(0, BUTTONS - 1)).map((action) => (
        <ActionButton key={action.key} action={action} />
      ))}
      {!all && (
        <Button size="small" aria-haspopup="menu" onClick={(event) => onMore(event.currentTarget)}>
          {text('grid.more')}
        </Button>
      )}
    </Box>
  )
}
