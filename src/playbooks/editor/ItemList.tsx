import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import AddTaskRounded from '@mui/icons-material/AddTaskRounded'
import TitleRounded from '@mui/icons-material/TitleRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import Typography from '@mui/material/Typography'
import { type Dispatch, type ReactNode, useCallback, useId } from 'react'

import { tooManyItems } from '#contract/playbooks/schema.ts'
import { useLatest } from '#src/kit/browser/useLatest.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import type { EditorAction, EditorState } from './editorValues.ts'
import { ItemForm } from './ItemForm.tsx'
import { ItemRow } from './ItemRow.tsx'
import { type ItemListModel, useItemList } from './useItemList.tsx'
import { useItemMenus } from './useItemMenus.tsx'

/** A press becomes a drag after 4 pixels. The options stay identical, because every row renders again with new ones. */
const POINTER = { activationConstraint: { distance: 4 } }
const KEYBOARD = { coordinateGetter: sortableKeyboardCoordinates }

/** Drags items by mouse, touch and keyboard, and announces their positions. */
function Sortable({
  state,
  list,
  children,
}: {
  state: EditorState
  list: ItemListModel
  children: ReactNode
}) {
  const text = useText()
  const sensors = useSensors(useSensor(PointerSensor, POINTER), useSensor(KeyboardSensor, KEYBOARD))
  const { order, items } = state
  const wordsOf = (id: string | number, at: string | number = id) => ({
    title: items[id] ? list.titleOf(items[id]) : '',
    place: order.indexOf(String(at)) + 1,
    count: order.length,
  })
  const announcements: Announcements = {
    onDragStart: ({ active }) => text('playbooks.dragStarted', wordsOf(active.id)),
    onDragOver: ({ active, over }) => text('playbooks.dragOver', wordsOf(active.id, over?.id)),
    onDragEnd: ({ active, over }) => text('playbooks.dragEnded', wordsOf(active.id, over?.id)),
    onDragCancel: ({ active }) => text('playbooks.dragCancelled', wordsOf(active.id)),
  }
  const drop = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id)
      list.drop(order.indexOf(String(active.id)), order.indexOf(String(over.id)))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements, screenReaderInstructions: { draggable: text('playbooks.dragHelp') } }}
    >
      <SortableContext items={order as string[]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

interface Props {
  state: EditorState
  dispatch: Dispatch<EditorAction>
  /** Id of the playbook whose files are offered; undefined before its first save. */
  playbookId: string | undefined
  maxItems: number | undefined
}

function AddButtons({ list, count }: { list: ItemListModel; count: number }) {
  const text = useText()
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
      <Button variant="outlined" startIcon={<TitleRounded />} onClick={() => list.insert('HEADING', count)}>
        {text('playbooks.addHeading')}
      </Button>
      <Button
        id={list.idOf('add')}
        variant="outlined"
        startIcon={<AddTaskRounded />}
        onClick={() => list.insert('TASK', count)}
      >
        {text('playbooks.addTask')}
      </Button>
    </Box>
  )
}

/** The headings and tasks: insert, edit one at a time, move, duplicate, remove. */
export function ItemList({ state, dispatch, playbookId, maxItems }: Props) {
  const text = useText()
  const id = useId()
  const list = useItemList(state, dispatch)
  const menus = useItemMenus(state, list)
  const openMenus = useLatest(menus)
  const onInsert = useCallback(
    (anchor: HTMLElement, at: number) => openMenus.current.openInsert(anchor, at),
    [openMenus],
  )
  const onMenu = useCallback(
    (anchor: HTMLElement, key: string) => openMenus.current.openItem(anchor, key),
    [openMenus],
  )
  const { order, items, openKey, errors } = state
  const count = order.length
  const excess = maxItems !== undefined && count > maxItems ? tooManyItems(maxItems) : undefined
  const problem = excess ?? errors.list
  return (
    <Box component="section" aria-labelledby={id}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: 1, mb: 0.5 }}>
        <Typography id={id} variant="h3" sx={{ flex: '1 1 auto' }}>
          {text('playbooks.contents')}
        </Typography>
        {maxItems !== undefined && (
          <Box sx={{ fontSize: '0.8125rem', color: excess ? 'error.main' : 'text.secondary' }}>
            {text('playbooks.itemsOf', { count, max: maxItems })}
          </Box>
        )}
      </Box>
      <Box component="output" sx={visuallyHidden}>
        {list.announcement}
      </Box>
      {count === 0 && <Typography color="textSecondary">{text('playbooks.noItems')}</Typography>}
      <Sortable state={state} list={list}>
        <Box component="ol" aria-labelledby={id} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {order.map((key, index) =>
            key === openKey ? (
              <ItemForm
                key={key}
                item={items[key]!}
                errors={errors.items[key]}
                onChange={(changes) => dispatch({ type: 'change', key, changes })}
                playbookId={playbookId}
                onDone={list.done}
                onCancel={list.cancel}
              />
            ) : (
              <ItemRow
                key={key}
                id={list.idOf(key)}
                item={items[key]!}
                errors={errors.items[key]}
                index={index}
                onOpen={list.open}
                onMenu={onMenu}
                onInsert={onInsert}
              />
            ),
          )}
        </Box>
      </Sortable>
      <AddButtons list={list} count={count} />
      {problem && (
        <FormHelperText error role="alert">
          {problem}
        </FormHelperText>
      )}
      {menus.element}
    </Box>
  )
}
