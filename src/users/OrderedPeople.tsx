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
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import CloseRounded from '@mui/icons-material/CloseRounded'
import DragIndicatorRounded from '@mui/icons-material/DragIndicatorRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { useMemo, useState } from 'react'

import { usePeople } from '#providers/people.ts'
import { useText } from '#src/kit/useText.ts'
import { MarkSuppressed } from '#src/suppressions/MarkSuppressed.tsx'

import { peopleList } from './peopleList.ts'
import { PersonLine } from './PersonLine.tsx'

const POINTER = { activationConstraint: { distance: 4 } }
const KEYBOARD = { coordinateGetter: sortableKeyboardCoordinates }
/** People rendered at first: a group may have thousands. */
const SHOWN = 100

interface RowProps {
  email: string
  place: number
  onRemove: () => void
}

function Row({ email, place, onRemove }: RowProps) {
  const text = useText()
  const { find, nameOf } = usePeople()
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: email })
  return (
    <Box
      component="li"
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform && { ...transform, x: 0 }), transition }}
      sx={{
        display: 'flex',
        alignItems: 'center',
        bgcolor: 'background.paper',
        ...(isDragging && { position: 'relative', zIndex: 1 }),
      }}
    >
      <IconButton
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={text('people.moveInOrder', { name: nameOf(email) })}
        sx={{ cursor: 'grab', touchAction: 'none' }}
      >
        <DragIndicatorRounded />
      </IconButton>
      <Box component="span" sx={{ minWidth: 28, color: 'text.secondary' }}>
        {place}
      </Box>
      <Box sx={{ flex: 1, minWidth: 0, '& .MuiAvatar-root': { display: { xs: 'none', sm: 'flex' } } }}>
        <PersonLine email={email} user={find(email)}>
          <IconButton
            size="small"
            aria-label={text('grid.remove', { name: nameOf(email) })}
            onClick={onRemove}
          >
            <CloseRounded />
          </IconButton>
        </PersonLine>
      </Box>
    </Box>
  )
}

interface Props {
  emails: readonly string[]
  onChange: (emails: string[]) => void
  onRemove: (email: string) => void
}

/** The chosen people in their order, which dragging and the keyboard change. */
export function OrderedPeople({ emails, onChange, onRemove }: Props) {
  const text = useText()
  const { nameOf } = usePeople()
  const [shown, setShown] = useState(SHOWN)
  const sensors = useSensors(useSensor(PointerSensor, POINTER), useSensor(KeyboardSensor, KEYBOARD))
  const place = (id: string | number) => emails.indexOf(String(id)) + 1
  const told = (id: string | number, at: string | number = id) =>
    text('people.placeInOrder', { name: nameOf(String(id)), place: place(at), count: emails.length })
  const announcements: Announcements = {
    onDragStart: ({ active }) => told(active.id),
    onDragOver: ({ active, over }) => told(active.id, over?.id),
    onDragEnd: ({ active, over }) => told(active.id, over?.id),
    onDragCancel: ({ active }) => told(active.id),
  }
  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return
    onChange(arrayMove([...emails], emails.indexOf(String(active.id)), emails.indexOf(String(over.id))))
  }
  const visible = useMemo(() => emails.slice(0, shown), [emails, shown])
  const lists = useMemo(() => [visible], [visible])
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements, screenReaderInstructions: { draggable: text('people.dragHelp') } }}
    >
      <MarkSuppressed lists={lists}>
        <SortableContext items={visible} strategy={verticalListSortingStrategy}>
          <Box component="ol" sx={peopleList}>
            {visible.map((email, n) => (
              <Row key={email} email={email} place={n + 1} onRemove={() => onRemove(email)} />
            ))}
          </Box>
        </SortableContext>
      </MarkSuppressed>
      {shown < emails.length && (
        <Button size="small" onClick={() => setShown(shown + SHOWN)}>
          {text('people.showMore', { count: Math.min(SHOWN, emails.length - shown) })}
        </Button>
      )}
    </DndContext>
  )
}
