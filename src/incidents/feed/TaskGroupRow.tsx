import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'

import { useSession } from '#providers/session.ts'
import { useText } from '#src/kit/useText.ts'

import { SelectBox } from './SelectBox.tsx'
import type { TaskGroup } from './taskGroups.ts'

interface Props {
  group: TaskGroup
  /** Name of the playbook that the tasks are of; undefined for others. */
  playbook: string | undefined
  isOpen: boolean
  onToggle: (id: string) => void
  /** True if all tasks are selected; undefined while none can be. */
  isSelected: boolean | undefined
  onSelect: (ids: readonly string[], isSelected: boolean) => void
}

/** Folds and unfolds tasks that were added together. */
export function TaskGroupRow({
  group: { id, tasks },
  playbook,
  isOpen,
  onToggle,
  isSelected,
  onSelect,
}: Props) {
  const text = useText()
  const me = useSession().user?.uuid
  const mine = tasks.filter(({ assignedTo }) => assignedTo?.uuid === me).length
  const free = tasks.filter(({ assignedTo }) => assignedTo === null).length
  const facts = [
    free > 0 && text('incidents.groupFree', { smart_count: free }),
    mine > 0 && text('incidents.groupMine', { smart_count: mine }),
  ]
  const name =
    playbook === undefined
      ? text('incidents.taskGroup', { smart_count: tasks.length })
      : text('incidents.taskGroupOf', { smart_count: tasks.length, playbook })
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      {isSelected !== undefined && (
        <SelectBox
          label={name}
          isSelected={isSelected}
          onSelect={(next) =>
            onSelect(
              tasks.filter(({ canEdit }) => canEdit).map((task) => task.id),
              next,
            )
          }
        />
      )}
      <Box
        component="button"
        type="button"
        aria-expanded={isOpen}
        onClick={() => onToggle(id)}
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          columnGap: 1,
          flex: 1,
          minWidth: 0,
          minHeight: 44,
          p: 0,
          border: 0,
          borderRadius: '6px',
          bgcolor: 'transparent',
          color: 'inherit',
          font: 'inherit',
          textAlign: 'start',
          cursor: 'pointer',
          '&:hover': { bgcolor: 'action.hover' },
          '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
          '& svg': { flex: 'none', transform: isOpen ? 'none' : 'rotate(-90deg)' },
        }}
      >
        <ExpandMoreRounded />
        <Box
          component="span"
          sx={{ flex: '1 1 160px', minWidth: 0, fontWeight: 600, overflowWrap: 'anywhere' }}
        >
          {name}
        </Box>
        <Box component="span" sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>
          {facts.filter(Boolean).join(' · ')}
        </Box>
      </Box>
    </Box>
  )
}
