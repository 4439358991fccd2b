import ArrowDownwardRounded from '@mui/icons-material/ArrowDownwardRounded'
import ArrowUpwardRounded from '@mui/icons-material/ArrowUpwardRounded'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import DriveFileMoveRounded from '@mui/icons-material/DriveFileMoveRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { type KeyboardEvent, useState } from 'react'

import { useDockedHeight } from '#src/kit/layout/useDockedHeight.ts'
import { useText } from '#src/kit/useText.ts'

import type { EditorState } from './editorValues.ts'
import { indentOf } from '../levelValues.ts'
import type { ItemListModel } from './useItemList.tsx'

interface Props {
  state: EditorState
  list: ItemListModel
}

/** Chooses the section that the chosen items move to the end of. */
function MoveTo({ state, list, keys }: Props & { keys: readonly string[] }) {
  const text = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { order, items } = state
  const set = new Set(keys)
  const headings = order.filter((key) => items[key]!.type === 'HEADING' && !set.has(key))
  const move = (before: string | undefined) => {
    setAnchor(null)
    list.moveTo(keys, before)
  }
  const label = text('playbooks.moveTo')
  /** The first item after a place that stays where it is. */
  const stayingFrom = (at: number) => order.slice(at).find((key) => !set.has(key))
  return (
    <>
      <IconButton
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        disabled={keys.length === 0}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <DriveFileMoveRounded />
      </IconButton>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': label } }}
      >
        <MenuItem onClick={() => move(stayingFrom(0))}>{text('playbooks.toTop')}</MenuItem>
        {headings.map((key) => (
          <MenuItem
            key={key}
            dir="auto"
            onClick={() => move(stayingFrom(order.indexOf(list.sectionOf(key).at(-1)!) + 1))}
            sx={{ pl: `${16 + indentOf(items[key]!.level)}px` }}
          >
            {list.titleOf(items[key]!)}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

/** Acts on the chosen headings and tasks. */
export function ChosenBar({ state, list }: Props) {
  const text = useText()
  const keys = [...(list.chosen ?? [])]
  const count = keys.length
  const isAll = count === state.order.length
  const shifts = [
    ['playbooks.moveUp', ArrowUpwardRounded, -1],
    ['playbooks.moveDown', ArrowDownwardRounded, 1],
  ] as const
  const bar = useDockedHeight()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') list.stopChoosing()
  }
  return (
    <Box
      ref={bar}
      role="toolbar"
      aria-label={text('playbooks.chosen')}
      onKeyDown={onKeyDown}
      sx={{
        position: 'sticky',
        bottom: { xs: 'calc(120px + env(safe-area-inset-bottom))', sm: 64 },
        zIndex: 2,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 0.5,
        mt: 1.5,
        px: 1.5,
        py: 0.5,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'primary.main',
        borderRadius: 1,
      }}
    >
      <Box component="output" sx={{ fontWeight: 600 }}>
        {text('playbooks.chosenCount', { smart_count: count })}
      </Box>
      <Button size="small" onClick={() => list.chooseMany(isAll ? [] : state.order)}>
        {text(isAll ? 'playbooks.chooseNone' : 'playbooks.chooseAll')}
      </Button>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 0.5, ml: 'auto' }}>
        {shifts.map(([label, Icon, by]) => (
          <IconButton
            key={label}
            aria-label={text(label)}
            title={text(label)}
            disabled={count === 0}
            onClick={() => list.shift(keys, by)}
          >
            <Icon />
          </IconButton>
        ))}
        <MoveTo state={state} list={list} keys={keys} />
        <IconButton
          aria-label={text('playbooks.removeChosen')}
          title={text('playbooks.removeChosen')}
          color="error"
          disabled={count === 0}
          onClick={() => list.remove(keys)}
        >
          <DeleteOutlineRounded />
        </IconButton>
        <Button size="small" color="inherit" onClick={list.stopChoosing}>
          {text('playbooks.done')}
        </Button>
      </Box>
    </Box>
  )
}
