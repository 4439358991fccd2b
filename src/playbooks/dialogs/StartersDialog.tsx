import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'

import { playbookImportsApi } from '#contract/playbook-imports/api.ts'
import type { StarterPlaybook } from '#contract/playbooks/schema.ts'
import { call } from '#providers/api.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { useText } from '#src/kit/useText.ts'

import { ContentsList } from './ContentsList.tsx'
import { countsOf } from './contentsValues.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { Fold } from './Fold.tsx'

interface StarterProps {
  starter: StarterPlaybook
  onChoose: (starter: StarterPlaybook) => void
}

function Starter({ starter, onChoose }: StarterProps) {
  const text = useText()
  const { headings, tasks } = countsOf(starter.activities)
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 1,
        p: 2,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Typography variant="h3">{starter.name}</Typography>
      <div>{starter.purpose}</div>
      <Box sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>
        {text('playbookDialogs.headingsCount', { smart_count: headings })} ·{' '}
        {text('playbookDialogs.tasksCount', { smart_count: tasks })}
      </Box>
      <Fold
        title={text('playbookDialogs.contents')}
        label={text('playbookDialogs.contentsOf', { name: starter.name })}
      >
        <ContentsList label={starter.name} activities={starter.activities} />
      </Fold>
      <Box>
        <Button
          variant="outlined"
          onClick={() => onChoose(starter)}
          aria-label={text('playbookDialogs.useOf', { name: starter.name })}
        >
          {text('playbookDialogs.use')}
        </Button>
      </Box>
    </Box>
  )
}

interface OpenProps {
  onClose: () => void
  /** Opens the starter in an editor; it becomes a playbook once saved. */
  onChoose: (starter: StarterPlaybook) => void
}

function OpenDialog({ onClose, onChoose }: OpenProps) {
  const text = useText()
  const starters = useQuery({
    queryKey: ['playbook-starters'],
    queryFn: ({ signal }) => call(playbookImportsApi.starters, { signal }),
    staleTime: Infinity,
  })
  return (
    <DialogFrame
      title={text('playbookDialogs.startersTitle')}
      lead={<Box sx={{ color: 'text.secondary' }}>{text('playbookDialogs.startersText')}</Box>}
      isTall
      onClose={onClose}
      actions={
        <Button color="inherit" onClick={onClose}>
          {text('kit.close')}
        </Button>
      }
    >
      {starters.data ? (
        <Box
          component="ul"
          aria-label={text('playbookDialogs.startersTitle')}
          sx={{ display: 'grid', gap: 2, m: 0, p: 0, listStyle: 'none' }}
        >
          {starters.data.map((starter) => (
            <Starter key={starter.id} starter={starter} onChoose={onChoose} />
          ))}
        </Box>
      ) : (
        <Awaiting queries={[starters]} height={480} />
      )}
    </DialogFrame>
  )
}

interface Props extends OpenProps {
  open: boolean
}

/** Offers the starter library. */
export const StartersDialog = ({ open, ...props }: Props) => open && <OpenDialog {...props} />
