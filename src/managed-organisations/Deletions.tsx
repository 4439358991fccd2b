import AutoDeleteRounded from '@mui/icons-material/AutoDeleteRounded'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocaleState, useNotify } from 'react-admin'
import { useEffect, useRef } from 'react'

import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import type { Deletion } from '#contract/managed-organisations/schema.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { MINUTE, SECOND } from '#src/kit/time/clock.ts'
import { shortTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

/** Progress or failure of an organisation's removal. */
function Removal({ deletion: { id, displayName: name, progress, failure } }: { deletion: Deletion }) {
  const text = useText()
  const can = useCan()
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => call(managedOrganisationsApi.retryDeletion, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: DELETIONS }),
  })
  return (
    <Alert
      severity={failure === null ? 'info' : 'error'}
      icon={false}
      action={
        failure !== null &&
        can(managedOrganisationsApi.retryDeletion.access) && (
          <Button
            color="inherit"
            size="small"
            disabled={retry.isPending}
            aria-label={text('management.organizations.retryDeletionOf', { name })}
            onClick={() => retry.mutate()}
          >
            {text('management.organizations.retryDeletion')}
          </Button>
        )
      }
    >
      {failure === null
        ? text('management.organizations.deleting', { name, progress })
        : text('management.organizations.deletionFailed', { name, progress, failure })}
      <LinearProgress
        variant="determinate"
        color={failure === null ? 'primary' : 'error'}
        value={progress}
        aria-label={name}
        sx={{ mt: 1 }}
      />
    </Alert>
  )
}

/** A deleted organisation that can be restored. */
function Grace({ deletion: { id, displayName: name, removalTimestamp } }: { deletion: Deletion }) {
  const text = useText()
  const [locale] = useLocaleState()
  const notify = useNotify()
  const can = useCan()
  const queryClient = useQueryClient()
  const undo = useMutation({
    mutationFn: () => call(managedOrganisationsApi.undoDeletion, { params: { id } }),
    onSuccess: () => notify(text('management.organizations.undone', { name }), { type: 'success' }),
    onError: (error) => notify(messageOf(error, text('management.organizations.failed')), { type: 'error' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['management/organizations'] }),
  })
  const date = shortTime(locale, Date.parse(removalTimestamp))
  return (
    <Alert
      severity="warning"
      icon={<AutoDeleteRounded />}
      action={
        can(managedOrganisationsApi.undoDeletion.access) && (
          <Button
            color="inherit"
            size="small"
            disabled={undo.isPending}
            aria-label={text('management.organizations.undoOf', { name })}
            onClick={() => undo.mutate()}
          >
            {text('management.organizations.undo')}
          </Button>
        )
      }
    >
      {text('management.organizations.willBeDeleted', { name, date })}
    </Alert>
  )
}

const DELETIONS = ['management/organizations', 'deletions'] as const
/** Short while a removal is running. */
const pollDeletions = (deletions: readonly Deletion[] = []) =>
  deletions.length > 0 && (deletions.some(({ state }) => state !== 'WAITING') ? 2 * SECOND : MINUTE)

/** Deleted organisations: the time left to restore each, or the progress of its removal. */
export function Deletions() {
  const queryClient = useQueryClient()
  const { data = [] } = useQuery({
    queryKey: DELETIONS,
    queryFn: ({ signal }) => call(managedOrganisationsApi.deletions, { signal }),
    refetchInterval: ({ state }) => pollDeletions(state.data),
  })
  const running = useRef(0)
  useEffect(() => {
    if (data.length < running.current)
      void queryClient.invalidateQueries({ queryKey: ['management/organizations', 'getList'] })
    running.current = data.length
  }, [data.length, queryClient])
  return data.map((deletion) =>
    deletion.state === 'WAITING' ? (
      <Grace key={deletion.id} deletion={deletion} />
    ) : (
      <Removal key={deletion.id} deletion={deletion} />
    ),
  )
}
