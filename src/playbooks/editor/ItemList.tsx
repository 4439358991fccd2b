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
import ChecklistRounded from '@mui/icons-material/ChecklistRounded'
import RedoRounded from '@mui/icons-material/RedoRounded'
import TitleRounded from '@mui/icons-material/TitleRounded'
import UndoRounded from '@mui/icons-material/UndoRounded'
import UnfoldLessRounded from '@mui/icons-material/UnfoldLessRounded'
import UnfoldMoreRounded from '@mui/icons-material/UnfoldMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type Dispatch, type ReactNode, Suspense, useId, useMemo } from 'react'

import { tooManyItems } from '#contract/playbooks/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useLatest } from '#src/kit/browser/useLatest.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import type { HistoryAction } from './editorHistory.ts'
import type { EditorState } from './editorValues.ts'
import { ItemRow } from './ItemRow.tsx'
import type { RowActs } from './rowActs.ts'
import { type ItemListModel, useItemList } from './useItemList.tsx'
import { useItemMenus } from './useItemMenus.tsx'

const ItemForm = lazy(async () => ({ default: (await import('./ItemForm.tsx')).ItemForm }))
const ChosenBar = lazy(async () => ({ default: (await import('./ChosenBar.tsx')).ChosenBar }))

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
  const { visible } = list
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
    if (over && active.id !== over.id) list.drop(String(active.id), String(over.id))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements, screenReaderInstructions: { draggable: text('playbooks.dragHelp') } }}
    >
      <SortableContext items={visible as string[]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

interface Props {
  state: EditorState
  dispatch: Dispatch<HistoryAction>
  /** Id of the playbook whose files are offered; undefined before its first save. */
  playbookId: string | undefined
  maxItems: number | undefined
  canUndo: boolean
  canRedo: boolean
  /** Called when the form of an item is on the page, which loads with the first one. */
  onFormShown: () => void
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

type Tools = Pick<Props, 'state' | 'dispatch' | 'canUndo' | 'canRedo'> & { list: ItemListModel }
/** Undo and redo, fold and unfold, and the choice of several items. */
function ListTools({ state, dispatch, canUndo, canRedo, list }: Tools) {
  const text = useText()
  const headings = state.order.filter((key) => state.items[key]!.type === 'HEADING')
  const isFolded = headings.length > 0 && headings.every((key) => list.folded.has(key))
  const isChoosing = list.chosen !== null
  const steps = [
    ['kit.undo', UndoRounded, 'undo', canUndo],
    ['playbooks.redo', RedoRounded, 'redo', canRedo],
  ] as const
  return (
    <Box sx={{ display: 'flex', alignItems: 'center' }}>
      {steps.map(([label, Icon, type, isPossible]) => (
        <IconButton
          key={type}
          size="small"
          aria-label={text(label)}
          title={text(label)}
          disabled={!isPossible}
          onClick={() => dispatch({ type })}
          sx={TOOL}
        >
          <Icon />
        </IconButton>
      ))}
      {headings.length > 1 && (
        <IconButton
          size="small"
          aria-label={text(isFolded ? 'playbooks.unfoldAll' : 'playbooks.foldAll')}
          title={text(isFolded ? 'playbooks.unfoldAll' : 'playbooks.foldAll')}
          onClick={() => list.fold(headings, !isFolded)}
          sx={TOOL}
        >
          {isFolded ? <UnfoldMoreRounded /> : <UnfoldLessRounded />}
        </IconButton>
      )}
      {state.order.length > 1 && (
        <IconButton
          size="small"
          aria-label={text('playbooks.chooseSeveral')}
          title={text('playbooks.chooseSeveral')}
          aria-pressed={isChoosing}
          color={isChoosing ? 'primary' : 'default'}
          onClick={isChoosing ? list.stopChoosing : list.startChoosing}
          sx={TOOL}
        >
          <ChecklistRounded />
        </IconButton>
      )}
    </Box>
  )
}
const TOOL = { width: { xs: 44, md: 32 }, height: { xs: 44, md: 32 } } as const

/** The acts of rows, the same in every rendering. */
function useRowActs(list: ItemListModel, menus: ReturnType<typeof useItemMenus>): RowActs {
  const latest = useLatest({ list, menus })
  return useMemo(
    () => ({
      open: (key) => latest.current.list.open(key),
      menu: (anchor, key) => latest.current.menus.openItem(anchor, key),
      insert: (anchor, at) => latest.current.menus.openInsert(anchor, at),
      fold: (key, isFolded) => latest.current.list.fold([key], isFolded),
      choose: (...args) => latest.current.list.choose(...args),
      shift: (key, by) => {
        latest.current.list.shiftOne(key, by)
        latest.current.list.focus(key)
      },
      type: (key) => latest.current.list.type(key),
      typeBeside: (key, by) => {
        const { visible, typing } = latest.current.list
        const next = visible[visible.indexOf(key) + by]
        if (next === undefined) return
        typing.end(key)
        typing.begin(next)
      },
      retitle: (...args) => latest.current.list.typing.retitle(...args),
      end: (key) => latest.current.list.typing.end(key),
      revert: (...args) => latest.current.list.typing.revert(...args),
      next: (key) => {
        latest.current.list.fold([key], false)
        latest.current.list.typing.next(key)
      },
      erase: (key) => {
        const { visible, typing } = latest.current.list
        typing.erase(key, visible[visible.indexOf(key) - 1])
      },
      paste: (...args) => latest.current.list.typing.paste(...args),
    }),
    [latest],
  )
}

/** The headings and tasks: type, insert, edit one at a time, choose several, move, fold, duplicate, remove. */
export function ItemList({ state, dispatch, playbookId, maxItems, canUndo, canRedo, onFormShown }: Props) {
  const text = useText()
  const id = useId()
  const list = useItemList({ state, dispatch, maxItems })
  const menus = useItemMenus(state, list)
  const acts = useRowActs(list, menus)
  const { order, items, openKey, errors } = state
  const count = order.length
  const excess = maxItems !== undefined && count > maxItems ? tooManyItems(maxItems) : undefined
  const problem = excess ?? errors.list
  return (
    <Box component="section" aria-labelledby={id}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, mb: 0.5 }}>
        <Typography id={id} variant="h3" component="h2" sx={{ flex: '1 1 auto' }}>
          {text('playbooks.contents')}
        </Typography>
        {maxItems !== undefined && (
          <Box sx={{ fontSize: '0.8125rem', color: excess ? 'error.main' : 'text.secondary' }}>
            {text('playbooks.itemsOf', { count, max: maxItems })}
          </Box>
        )}
        <ListTools {...{ state, dispatch, canUndo, canRedo, list }} />
      </Box>
      <Box component="output" sx={visuallyHidden}>
        {list.announcement}
      </Box>
      {count === 0 && <Typography color="textSecondary">{text('playbooks.noItems')}</Typography>}
      <Sortable state={state} list={list}>
        <Box component="ol" aria-labelledby={id} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {list.visible.map((key) =>
            key === openKey ? (
              <Suspense key={key} fallback={<Box component="li" sx={{ height: 320 }} />}>
                <ItemForm
                  item={items[key]!}
                  errors={errors.items[key]}
                  onChange={(changes) => dispatch({ type: 'change', key, changes })}
                  playbookId={playbookId}
                  onDone={list.done}
                  onCancel={list.cancel}
                  onShown={onFormShown}
                />
              </Suspense>
            ) : (
              <ItemRow
                key={key}
                id={list.idOf(key)}
                item={items[key]!}
                errors={errors.items[key]}
                index={order.indexOf(key)}
                isTyping={list.typing.typing === key}
                isChosen={list.chosen && list.chosen.has(key)}
                hiddenCount={list.folded.has(key) ? list.sectionOf(key).length - 1 : null}
                acts={acts}
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
      <Suspense>{list.chosen && <ChosenBar state={state} list={list} />}</Suspense>
      {menus.element}
    </Box>
  )
}
