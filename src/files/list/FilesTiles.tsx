import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Checkbox from '@mui/material/Checkbox'
import IconButton from '@mui/material/IconButton'
import { useLocaleState } from 'react-admin'
import { type DragEvent, type KeyboardEvent, useState } from 'react'

import { fileSize } from '#src/kit/browser/fileSize.ts'
import { useScrollBack } from '#src/kit/browser/useScrollBack.ts'
import { useText } from '#src/kit/useText.ts'

import type { Listed } from '../selectionValues.ts'
import { FoundText } from './FoundText.tsx'
import { ItemMarks } from './ItemName.tsx'
import { folderLabel, nameOf, placeOf } from './itemValues.ts'
import type { FilesLayoutProps } from './layoutValues.ts'
import { Thumbnail } from './Thumbnail.tsx'

/** Pixels of the narrowest tile: two of them stand beside each other on the smallest phone. */
const TILE_MIN = { xs: 120, sm: 168 }

/** The tile that a key leads to; undefined for other keys and beyond the ends. */
function tileAt(event: KeyboardEvent<HTMLElement>): HTMLElement | undefined {
  const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tile]')]
  const at = tiles.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return undefined
  const top = ({ parentElement }: HTMLElement) => parentElement!.offsetTop
  const first = top(tiles[0]!)
  const columns = tiles.findIndex((tile) => top(tile) !== first)
  const line = columns < 0 ? tiles.length : columns
  const forward = document.dir === 'rtl' ? -1 : 1
  const steps: { readonly [key: string]: number } = {
    ArrowRight: forward,
    ArrowLeft: -forward,
    ArrowDown: line,
    ArrowUp: -line,
    Home: -at,
    End: tiles.length - 1 - at,
  }
  const step = steps[event.key]
  return step === undefined ? undefined : tiles[at + step]
}

function Facts({ item }: { item: Listed }) {
  const text = useText()
  const [locale] = useLocaleState()
  const label = folderLabel(item)
  const place = item.path && placeOf(text('files.title'), item.path)
  return (
    <Box
      sx={{
        fontSize: '0.75rem',
        color: 'text.secondary',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        whiteSpace: 'nowrap',
      }}
      dir="auto"
      title={place}
    >
      {place ?? (label ? text(label) : fileSize(locale, item.size))}
    </Box>
  )
}

/** The name in two lines at most; the picture above it says the format. */
function Name({ item }: { item: Listed }) {
  const name = nameOf(item)
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 0.5, mb: 0.25 }}>
      <Box
        component="bdi"
        title={name}
        sx={{
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: 2,
          overflow: 'hidden',
          overflowWrap: 'anywhere',
          fontWeight: 600,
        }}
      >
        {name}
      </Box>
      <ItemMarks item={item} />
    </Box>
  )
}

interface TileProps extends Pick<FilesLayoutProps, 'onOpen' | 'onMenu' | 'drag'> {
  item: Listed
  isSelected: boolean
  /** True for the tile that Tab leads to. */
  isTabStop: boolean
  onToggle: () => void
  onFocus: () => void
}

function Tile({ item, isSelected, isTabStop, onToggle, onFocus, onOpen, onMenu, drag }: TileProps) {
  const text = useText()
  const { id } = item
  const name = nameOf(item)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === ' ') onToggle()
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))
      onMenu(item, event.currentTarget)
    else return
    event.preventDefault()
  }
  return (
    <Box
      component="li"
      data-id={id}
      draggable={item.isEditable}
      onDragStart={(event: DragEvent) => drag.start(item, event)}
      onDragEnd={drag.stop}
      {...(item.isFolder && {
        onDragOver: (event: DragEvent) => drag.enter(id, event),
        onDragLeave: drag.leave,
        onDrop: (event: DragEvent) => drag.drop(id, event),
      })}
      onContextMenu={(event) => {
        event.preventDefault()
        onMenu(item, { left: event.clientX, top: event.clientY })
      }}
      sx={{
        position: 'relative',
        minWidth: 0,
        border: 1,
        borderColor: isSelected ? 'primary.main' : 'divider',
        borderRadius: 1,
        overflow: 'hidden',
        bgcolor: isSelected ? 'action.selected' : 'background.paper',
        ...(drag.over === id && { outline: '2px solid', outlineColor: 'primary.main' }),
      }}
    >
      <ButtonBase
        data-tile
        tabIndex={isTabStop ? 0 : -1}
        aria-label={name}
        onFocus={onFocus}
        onClick={() => onOpen(item)}
        onKeyDown={onKeyDown}
        sx={{
          display: 'block',
          width: '100%',
          font: 'inherit',
          textAlign: 'start',
          '&:hover': { bgcolor: 'action.hover' },
          '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: '-2px' },
        }}
      >
        <Box sx={{ height: { xs: 96, sm: 112 }, borderBottom: 1, borderColor: 'divider' }}>
          <Thumbnail item={item} />
        </Box>
        <Box sx={{ p: 1, pr: 5, minHeight: 68, fontSize: '0.8125rem', lineHeight: 1.35 }}>
          <Name item={item} />
          <Facts item={item} />
          {item.textMatch && <FoundText match={item.textMatch} />}
        </Box>
      </ButtonBase>
      <Checkbox
        size="small"
        checked={isSelected}
        onChange={onToggle}
        slotProps={{ input: { 'aria-label': text('files.selectItem', { name }), tabIndex: -1 } }}
        sx={{
          position: 'absolute',
          insetInlineStart: 4,
          top: 4,
          p: { xs: 1.25, md: 0.5 },
          bgcolor: 'background.paper',
          borderRadius: '6px',
          '&:hover': { bgcolor: 'background.paper' },
        }}
      />
      <IconButton
        size="small"
        tabIndex={-1}
        aria-haspopup="menu"
        aria-label={text('grid.actionsOf', { name })}
        onClick={(event) => onMenu(item, event.currentTarget)}
        sx={{
          position: 'absolute',
          insetInlineEnd: 0,
          bottom: 6,
          width: { xs: 44, md: 36 },
          height: { xs: 44, md: 36 },
          color: 'text.secondary',
        }}
      >
        <MoreVertRounded />
      </IconButton>
    </Box>
  )
}

/** Files and folders as tiles with small pictures. Arrow keys lead from tile to tile. */
export function FilesTiles({ rows, selection, onSelect, ...acts }: FilesLayoutProps) {
  const { onOpen, onMenu, drag } = acts
  const text = useText()
  useScrollBack(true)
  const chosen = selection.map(({ id }) => id)
  const [focused, setFocused] = useState<number>()
  const stop = rows.some(({ id }) => id === focused) ? focused : rows[0]?.id
  return (
    <Box
      component="ul"
      aria-label={text('files.list')}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
        const next = event.ctrlKey || event.metaKey || event.altKey ? undefined : tileAt(event)
        if (!next) return
        event.preventDefault()
        next.focus()
      }}
      sx={{
        m: 0,
        p: 1.5,
        listStyle: 'none',
        display: 'grid',
        gap: 1.5,
        gridTemplateColumns: {
          xs: `repeat(auto-fill, minmax(${TILE_MIN.xs}px, 1fr))`,
          sm: `repeat(auto-fill, minmax(${TILE_MIN.sm}px, 1fr))`,
        },
      }}
    >
      {rows.map((item) => (
        <Tile
          key={item.id}
          item={item}
          isSelected={chosen.includes(item.id)}
          isTabStop={item.id === stop}
          onToggle={() =>
            onSelect(chosen.includes(item.id) ? chosen.filter((id) => id !== item.id) : [...chosen, item.id])
          }
          onFocus={() => setFocused(item.id)}
          onOpen={onOpen}
          onMenu={onMenu}
          drag={drag}
        />
      ))}
    </Box>
  )
}
