import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import DragIndicatorRounded from '@mui/icons-material/DragIndicatorRounded'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import { styled } from '@mui/material/styles'
import { memo } from 'react'

import { useText } from '#src/kit/useText.ts'
import { indentOf } from '../levelValues.ts'
import { minutesOf } from '../TimeFields.tsx'
import { useDuration } from '../useDuration.ts'

import type { EditedItem, ItemErrors } from './editorValues.ts'
import { InsertPoint } from './InsertPoint.tsx'

// Plain elements: a playbook may have hundreds of rows, and each MUI component costs more than the row's own.
const Frame = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'stretch',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  backgroundColor: theme.vars.palette.background.paper,
  '&[data-wrong="true"]': { borderColor: theme.vars.palette.error.main },
  '&[data-heading="true"]': { backgroundColor: theme.vars.palette.background.default },
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
    text('playbooks.priorityIs', { priority: text(`playbooks.priorities.${priority}`) }),
    role,
    minutes !== null && !Number.isNaN(minutes) && ofMinutes(minutes, 'short'),
  ]
  return facts.filter(Boolean).join(' · ')
}

const TaskLine = ({ item }: { item: EditedItem }) => <Line dir="auto">{useFactsOf(item)}</Line>

interface Props {
  item: EditedItem
  /** Id of the button that opens the item. */
  id: string
  errors: ItemErrors | undefined
  onOpen: (key: string) => void
  onMenu: (anchor: HTMLElement, key: string) => void
  index: number
  onInsert: (anchor: HTMLElement, index: number) => void
}

/** A closed item; a press opens its form. */
export const ItemRow = memo(function ItemRow(props: Props) {
  const { item, id, errors, onOpen, onMenu, index, onInsert } = props
  const text = useText()
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, style, isDragging } = useSortableItem(
    item.key,
    false,
  )
  const title = item.title.trim() || text('playbooks.untitled')
  const problems = Object.values(errors ?? {})
  const isHeading = item.type === 'HEADING'
  return (
    <li ref={setNodeRef} style={isHeading ? { ...style, marginInlineStart: indentOf(item.level) } : style}>
      <InsertPoint label={text('playbooks.insertHere', { title })} index={index} onInsert={onInsert} />
      <Frame data-wrong={problems.length > 0} data-heading={isHeading} data-dragged={isDragging}>
        <Handle
          ref={setActivatorNodeRef}
          type="button"
          {...attributes}
          {...listeners}
          aria-label={text('playbooks.drag', { title })}
        >
          <DragIndicatorRounded />
        </Handle>
        <Content
          type="button"
          id={id}
          aria-label={text('playbooks.editItem', { title })}
          aria-describedby={`${id}-facts`}
          onClick={() => onOpen(item.key)}
        >
          <Title dir="auto">{title}</Title>
          <span id={`${id}-facts`}>
            {isHeading && item.condition.trim() !== '' && (
              <Line dir="auto">{text('incidents.onlyIf', { condition: item.condition })}</Line>
            )}
            {isHeading ? (
              item.description.trim() !== '' && <Line dir="auto">{item.description}</Line>
            ) : (
              <TaskLine item={item} />
            )}
            {problems.map((problem) => (
              <Line key={problem} data-problem>
                {problem}
              </Line>
            ))}
          </span>
        </Content>
        <Tool
          type="button"
          aria-label={text('playbooks.itemActions', { title })}
          aria-haspopup="menu"
          onClick={(event) => onMenu(event.currentTarget, item.key)}
        >
          <MoreVertRounded />
        </Tool>
      </Frame>
    </li>
  )
})
