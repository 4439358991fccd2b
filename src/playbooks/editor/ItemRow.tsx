import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import DragIndicatorRounded from '@mui/icons-material/DragIndicatorRounded'
import EditOutlined from '@mui/icons-material/EditOutlined'
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, memo, type ReactNode } from 'react'

import { useText } from '#src/kit/useText.ts'
import { indentOf } from '../levelValues.ts'
import { minutesOf } from '../typedTime.ts'
import { useDuration } from '../useDuration.ts'

import type { EditedItem, ItemErrors } from './editorValues.ts'
import { InsertPoint } from './InsertPoint.tsx'
import type { RowActs } from './rowActs.ts'
import { TitleInput } from './TitleInput.tsx'

// Plain elements: a playbook may have hundreds of rows, and each MUI component costs more than the row's own.
const Frame = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'stretch',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  backgroundColor: theme.vars.palette.background.paper,
  '&[data-wrong="true"]': { borderColor: theme.vars.palette.error.main },
  '&[data-heading="true"]': { backgroundColor: theme.vars.palette.background.default },
  '&:focus-within': { borderColor: theme.vars.palette.primary.main },
  '&[data-chosen="true"]': {
    backgroundColor: `color-mix(in srgb, ${theme.vars.palette.primary.main} 12%, transparent)`,
  },
  '&[data-dragged="true"]': { boxShadow: theme.shadows[8], borderColor: theme.vars.palette.primary.main },
}))
const Tool = styled('button')(({ theme }) => ({
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  width: 32,
  minHeight: 36,
  padding: 0,
  border: 0,
  borderRadius: 6,
  background: 'transparent',
  color: theme.vars.palette.text.secondary,
  cursor: 'pointer',
  '& svg': { fontSize: 20 },
  '&:hover': { backgroundColor: theme.vars.palette.action.hover },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  [theme.breakpoints.down('md')]: { width: 44, minHeight: 44 },
}))
/** The menu has the same act where rows are narrow. */
const Pen = styled(Tool)(({ theme }) => ({ [theme.breakpoints.down('sm')]: { display: 'none' } }))
const Handle = styled(Tool)({ cursor: 'grab', touchAction: 'none', '&:active': { cursor: 'grabbing' } })
const Content = styled('button')(({ theme }) => ({
  flex: 1,
  minWidth: 0,
  padding: '6px 4px',
  border: 0,
  borderRadius: 6,
  background: 'transparent',
  color: 'inherit',
  font: 'inherit',
  textAlign: 'start',
  cursor: 'pointer',
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  overflowWrap: 'anywhere',
}))
const Typed = styled('div')({ flex: 1, minWidth: 0, padding: '6px 4px' })
const Check = styled('label')(({ theme }) => ({
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  width: 32,
  minHeight: 36,
  cursor: 'pointer',
  '& input': { width: 18, height: 18, margin: 0, accentColor: theme.vars.palette.primary.main },
  [theme.breakpoints.down('md')]: { width: 44, minHeight: 44 },
}))
const clamped = (lines: number) =>
  ({
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: lines,
    overflow: 'hidden',
  }) as const
const Title = styled('span')({ ...clamped(3), fontWeight: 600 })
const Line = styled('span')(({ theme }) => ({
  ...clamped(2),
  fontSize: '0.8125rem',
  color: theme.vars.palette.text.secondary,
  '&[data-problem]': { color: theme.vars.palette.error.main },
}))

/** Makes an item draggable, and keeps it in view while it is moved. */
export function useSortableItem(key: string, isOpen: boolean) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: key, disabled: isOpen })
  const style = {
    // Restricts dragging to the vertical axis.
    transform: CSS.Translate.toString(transform && { ...transform, x: 0 }),
    transition,
    ...(isDragging && { position: 'relative' as const, zIndex: 1 }),
  }
  return { attributes, listeners, setNodeRef, setActivatorNodeRef, style, isDragging }
}

function useFactsOf({
  priority,
  idealTitleToExecute: role,
  expectedTimeToComplete: time,
}: EditedItem): string {
  const text = useText()
  const { ofMinutes } = useDuration()
  const minutes = minutesOf(time)
  const facts = [
    // The default priority is omitted.
    priority !== 'MEDIUM' &&
      text('playbooks.priorityIs', { priority: text(`playbooks.priorities.${priority}`) }),
    role,
    minutes !== null && !Number.isNaN(minutes) && ofMinutes(minutes, 'short'),
  ]
  return facts.filter(Boolean).join(' · ')
}

const TaskLine = ({ item }: { item: EditedItem }) => {
  const facts = useFactsOf(item)
  return facts === '' ? null : <Line dir="auto">{facts}</Line>
}

/** Facts of an item beside its title, and its errors. */
function About({ item, errors, id }: Pick<Props, 'item' | 'errors' | 'id'>) {
  const text = useText()
  const isHeading = item.type === 'HEADING'
  return (
    <span id={`${id}-facts`}>
      {isHeading && item.condition.trim() !== '' && (
        <Line dir="auto">{text('incidents.onlyIf', { condition: item.condition })}</Line>
      )}
      {isHeading ? (
        item.description.trim() !== '' && <Line dir="auto">{item.description}</Line>
      ) : (
        <TaskLine item={item} />
      )}
      {Object.values(errors ?? {}).map((problem) => (
        <Line key={problem} data-problem>
          {problem}
        </Line>
      ))}
    </span>
  )
}

interface FoldProps {
  item: EditedItem
  title: string
  /** Number of items that the folded heading hides; null while it is unfolded. */
  hiddenCount: number | null
  acts: RowActs
}
function FoldTool({ item, title, hiddenCount, acts }: FoldProps) {
  const text = useText()
  const isFolded = hiddenCount !== null
  const label = text(isFolded ? 'playbooks.unfold' : 'playbooks.fold', { title })
  return (
    <Tool
      type="button"
      aria-expanded={!isFolded}
      aria-label={label}
      title={label}
      onClick={() => acts.fold(item.key, !isFolded)}
    >
      <ExpandMoreRounded style={isFolded ? { transform: 'rotate(-90deg)' } : {}} />
    </Tool>
  )
}

interface Props {
  item: EditedItem
  /** Id of the button that begins to type the title. */
  id: string
  errors: ItemErrors | undefined
  index: number
  isTyping: boolean
  /** Null while nothing can be chosen. */
  isChosen: boolean | null
  hiddenCount: number | null
  acts: RowActs
}

/** Tools before the title: a handle or a checkbox, and the fold of a heading. */
function Front({
  children,
  item,
  title,
  isChosen,
  hiddenCount,
  acts,
}: Omit<Props, 'id' | 'errors' | 'index' | 'isTyping'> & { title: string; children: ReactNode }) {
  const text = useText()
  return (
    <>
      {isChosen === null ? (
        children
      ) : (
        <Check>
          <input
            type="checkbox"
            aria-label={text('playbooks.chooseItem', { title })}
            checked={isChosen}
            onChange={({ target, nativeEvent }) =>
              acts.choose(item.key, target.checked, (nativeEvent as MouseEvent).shiftKey)
            }
          />
        </Check>
      )}
      {item.type === 'HEADING' && (
        <FoldTool item={item} title={title} hiddenCount={hiddenCount} acts={acts} />
      )}
    </>
  )
}

/** A closed item. A press on it types its title in the row; the pen opens its form. */
export const ItemRow = memo(function ItemRow(props: Props) {
  const { item, id, errors, index, isTyping, isChosen, hiddenCount, acts } = props
  const text = useText()
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, style, isDragging } = useSortableItem(
    item.key,
    isTyping,
  )
  const title = item.title.trim() || text('playbooks.untitled')
  const isHeading = item.type === 'HEADING'
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    acts.shift(item.key, event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <li ref={setNodeRef} style={isHeading ? { ...style, marginInlineStart: indentOf(item.level) } : style}>
      <InsertPoint label={text('playbooks.insertHere', { title })} index={index} onInsert={acts.insert} />
      <Frame
        data-wrong={errors !== undefined && Object.keys(errors).length > 0}
        data-heading={isHeading}
        data-dragged={isDragging}
        data-chosen={isChosen === true}
        onKeyDown={onKeyDown}
      >
        <Front {...{ item, title, isChosen, hiddenCount, acts }}>
          <Handle
            ref={setActivatorNodeRef}
            type="button"
            {...attributes}
            {...listeners}
            aria-label={text('playbooks.drag', { title })}
          >
            <DragIndicatorRounded />
          </Handle>
        </Front>
        {isTyping ? (
          <Typed>
            <TitleInput item={item} acts={acts} />
            <About item={item} errors={errors} id={id} />
          </Typed>
        ) : (
          <Content
            type="button"
            id={id}
            aria-label={text('playbooks.retitle', { title })}
            aria-describedby={`${id}-facts`}
            onClick={({ shiftKey }) =>
              isChosen === null ? acts.type(item.key) : acts.choose(item.key, !isChosen, shiftKey)
            }
          >
            <Title dir="auto">{title}</Title>
            {hiddenCount !== null && (
              <Line>{text('playbooks.hiddenItems', { smart_count: hiddenCount })}</Line>
            )}
            <About item={item} errors={errors} id={id} />
          </Content>
        )}
        <Pen
          type="button"
          aria-label={text('playbooks.editItem', { title })}
          title={text('playbooks.editItem', { title })}
          onClick={() => acts.open(item.key)}
        >
          <EditOutlined />
        </Pen>
        <Tool
          type="button"
          aria-label={text('playbooks.itemActions', { title })}
          aria-haspopup="menu"
          onClick={(event) => acts.menu(event.currentTarget, item.key)}
        >
          <MoreVertRounded />
        </Tool>
      </Frame>
    </li>
  )
})
