import GroupsRounded from '@mui/icons-material/GroupsRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { Link, useNavigate } from 'react-router-dom'

import { demoApi } from '#contract/demo/api.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'

import { Tile } from './Tile.tsx'

/** Begins and ends the exercise of a demonstration, in which its people act by themselves. */
export function DemonstrationTile({ exerciseId }: { exerciseId: string | null }) {
  const text = useText()
  const notify = useNotify()
  const navigate = useNavigate()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['dashboard'] })
  const options = {
    onError: (error: unknown) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
  }
  const begin = useMutation({
    mutationFn: () => call(demoApi.begin),
    onSuccess: async ({ id }) => {
      await navigate(`/incidents/${id}`)
      await refresh()
    },
    ...options,
  })
  const end = useMutation({
    mutationFn: () => call(demoApi.end),
    onSuccess: async () => {
      notify(text('asked.demonstrationEnded'), { type: 'success' })
      await refresh()
    },
    ...options,
  })
  return (
    <Tile label={text('asked.demonstration')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Box sx={{ flex: '1 1 260px' }}>
          {text(exerciseId === null ? 'asked.demonstrationText' : 'asked.demonstrationRuns')}
        </Box>
        {exerciseId === null ? (
          <Button
            variant="outlined"
            size="large"
            startIcon={<GroupsRounded />}
            disabled={begin.isPending}
            onClick={() => begin.mutate()}
            sx={{ flex: { xs: '1 1 100%', sm: 'none' } }}
          >
            {text('asked.demonstrationBegin')}
          </Button>
        ) : (
          <Box sx={{ display: 'flex', gap: 1 }}>
            <Button component={Link} to={`/incidents/${exerciseId}`} variant="outlined" size="large">
              {text('asked.demonstrationOpen')}
            </Button>
            <Button size="large" color="inherit" disabled={end.isPending} onClick={() => end.mutate()}>
              {text('asked.demonstrationEnd')}
            </Button>
          </Box>
        )}
      </Box>
    </Tile>
  )
}
