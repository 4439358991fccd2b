import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'

import type { TextKey } from '#providers/i18nProvider.ts'
import { useText } from '#src/kit/useText.ts'

import type { EditorState } from './editorValues.ts'
import type { ItemListModel } from './useItemList.tsx'

interface Entry {
  readonly label: TextKey
  readonly act: () => void
  readonly disabled?: boolean
}
interface OpenMenu {
  readonly anchor: HTMLElement
  readonly label: string
  readonly entries: readonly Entry[]
}

/** One menu for all rows and insert points, of which there may be hundreds. */
export function useItemMenus(state: EditorState, list: ItemListModel) {
  const text = useText()
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [isOpen, setOpen] = useState(false)
  const show = (next: OpenMenu) => {
    setMenu(next)
    setOpen(true)
  }
  const { order, items } = state
  const openInsert = (anchor: HTMLElement, at: number) =>
    show({
      anchor,
      label: anchor.getAttribute('aria-label') ?? '',
      entries: [
        { label: 'playbooks.addHeading', act: () => list.insert('HEADING', at) },
        { label: 'playbooks.addTask', act: () => list.insert('TASK', at) },
      ],
    })
  const openItem = (anchor: HTMLElement, key: string) => {
    const at = order.indexOf(key)
    const isFolded = list.folded.has(key)
    const chooseSection: Entry = {
      label: 'playbooks.chooseSection',
      act: () => list.chooseMany(list.sectionOf(key)),
    }
    show({
      anchor,
      label: text('playbooks.itemActions', { title: list.titleOf(items[key]!) }),
      entries: [
        { label: 'playbooks.editDetails', act: () => list.open(key) },
        { label: 'playbooks.moveUp', disabled: at === 0, act: () => list.shiftOne(key, -1) },
        {
          label: 'playbooks.moveDown',
          disabled: list.after(key) === order.length,
          act: () => list.shiftOne(key, 1),
        },
        ...(items[key]!.type === 'HEADING' ? [chooseSection] : []),
        { label: 'playbooks.duplicate', act: () => list.duplicate(key) },
        { label: 'playbooks.insertHeadingBelow', act: () => list.insert('HEADING', list.after(key)) },
        { label: 'playbooks.insertTaskBelow', act: () => list.insert('TASK', list.after(key)) },
        {
          label: isFolded ? 'playbooks.removeSection' : 'playbooks.remove',
          act: () => list.remove(list.blockOf(key)),
        },
      ],
    })
  }
  const element = (
    <Menu
      open={isOpen}
      anchorEl={menu?.anchor ?? null}
      onClose={() => setOpen(false)}
      slotProps={{ list: { 'aria-label': menu?.label ?? '' } }}
    >
      {menu?.entries.map(({ label, act, disabled = false }) => (
        <MenuItem
          key={label}
          disabled={disabled}
          onClick={() => {
            setOpen(false)
            act()
          }}
        >
          {text(label)}
        </MenuItem>
      ))}
    </Menu>
  )
  return { openInsert, openItem, element }
}
