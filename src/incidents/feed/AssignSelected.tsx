import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import { useSession } from '#providers/session.ts'
import { useText } from '#src/kit/useText.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'

interface Props {
  /** The selected tasks. */
  ids: readonly string[]
  onAssign: (ids: readonly string[], assignedTo: string | null) => Promise<boolean>
  onEnd: () => void
}

/** Assigns the selected tasks at once. */
export function AssignSelected({ ids, onAssign, onEnd }: Props) {
  const text = useText()
  const me = useSession().user?.email
  const assign = async (email: string | null) => {
    if (await onAssign(ids, email)) onEnd()
  }
  return (
    <Box
      component="section"
      aria-label={text('incidents.selectTasks')}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        p: 1,
        border: 1,
        borderColor: 'primary.main',
        borderRadius: 1,
      }}
    >
      <Box component="output" sx={{ fontWeight: 600 }}>
        {text('incidents.selectedTasks', { smart_count: ids.length })}
      </Box>
      <Box sx={{ flex: '1 1 200px', maxWidth: 320 }}>
        <PersonPicker
          label={text('incidents.assignTo')}
          nobody=""
          clearLabel={text('incidents.unassign')}
          value={null}
          disabled={ids.length === 0}
          onChange={(email) => {
            if (email !== null) void assign(email)
          }}
        />
      </Box>
      <Button variant="contained" disabled={ids.length === 0} onClick={() => void assign(me ?? null)}>
        {text('incidents.takeThem')}
      </Button>
      <Button color="inherit" onClick={onEnd}>
        {text('kit.cancel')}
      </Button>
    </Box>
  )
}
