import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import IconButton from '@mui/material/IconButton'
import Link from '@mui/material/Link'
import { useLocaleState } from 'react-admin'
import type { DragEvent } from 'react'

import { fileSize } from '#src/kit/browser/fileSize.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useScrollBack } from '#src/kit/browser/useScrollBack.ts'
import { useText } from '#src/kit/useText.ts'

import { FoundText } from './FoundText.tsx'
import { ItemName } from './ItemName.tsx'
import type { Listed } from '../selectionValues.ts'
import { folderLabel, nameOf, placeOf } from './itemValues.ts'
import type { FilesLayoutProps } from './layoutValues.ts'

function Facts({ item }: { item: Listed }) {
  const text = useText()
  const [locale] = useLocaleState()
  const label = folderLabel(item)
  return (
    <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary', overflowWrap: 'anywhere' }}>
      {label ? text(label) : fileSize(locale, item.size)}
      {' · '}
      <Time at={item.updateTimestamp} />
      {item.path && <Box dir="auto">{placeOf(text('files.title'), item.path)}</Box>}
      {item.textMatch && <FoundText match={item.textMatch} />}
    </Box>
  )
}

/** Files and folders as a list, for phones. */
export function FilesCards({ rows, selection, onSelect, onOpen, onMenu, drag }: FilesLayoutProps) {
  const text = useText()
  useScrollBack(true)
  const chosen = selection.map(({ id }) => id)
  return (
    <Box
      component="ul"
      aria-label={text('files.list')}
      sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
    >
      {rows.map((item) => {
        const { id } = item
        const name = nameOf(item)
        return (
          <Box
            key={id}
            component="li"
            data-id={id}
            onContextMenu={(event) => {
              event.preventDefault()
              onMenu(item, { left: event.clientX, top: event.clientY })
            }}
            {...(item.isFolder && {
              onDragOver: (event: DragEvent) => drag.enter(id, event),
              onDragLeave: drag.leave,
              onDrop: (event: DragEvent) => drag.drop(id, event),
            })}
            sx={{
              ...(drag.over === id && {
                outline: '2px solid',
                outlineColor: 'primary.main',
                outlineOffset: '-2px',
              }),
              position: 'relative',
              display: 'grid',
              gridTemplateColumns: '44px minmax(0, 1fr) 44px',
              alignItems: 'center',
              minHeight: 60,
              py: 0.5,
            }}
          >
            <Checkbox
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onSelect(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
              }
              slotProps={{ input: { 'aria-label': text('files.selectItem', { name }) } }}
              sx={{ zIndex: 1 }}
            />
            <Box sx={{ minWidth: 0 }}>
              <Box sx={{ fontWeight: 600, whiteSpace: 'nowrap' }}>
                <Link
                  component="button"
                  type="button"
                  color="inherit"
                  onClick={() => onOpen(item)}
                  // The whole row is the target; other buttons lie above.
                  sx={{
                    display: 'block',
                    width: '100%',
                    font: 'inherit',
                    textAlign: 'start',
                    '&::after': { content: '""', position: 'absolute', inset: 0 },
                  }}
                >
                  <ItemName item={item} />
                </Link>
              </Box>
              <Facts item={item} />
            </Box>
            <IconButton
              aria-haspopup="menu"
              aria-label={text('grid.actionsOf', { name })}
              onClick={(event) => onMenu(item, event.currentTarget)}
              sx={{ zIndex: 1, width: 44, height: 44, color: 'text.secondary' }}
            >
              <MoreVertRounded />
            </IconButton>
          </Box>
        )
      })}
    </Box>
  )
}
