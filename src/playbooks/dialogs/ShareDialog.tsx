import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'

import type { ChildOrganisation } from '#contract/organisations/schema.ts'
import { playbookSharesApi } from '#contract/playbook-shares/api.ts'
import {
  cannotReceive,
  type PlaybookShare,
  SHARED_AT_ONCE,
  SHARING_FAILED,
} from '#contract/playbook-shares/schema.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { useText } from '#src/kit/useText.ts'

import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { JobProgress } from './JobProgress.tsx'
import { OrganisationPicker, remainingCountOf } from './OrganisationPicker.tsx'
import { PlaybookPicker, usePlaybookChoice } from './PlaybookPicker.tsx'
import { useChildren, useJob } from './queries.ts'
import { ShareResults } from './ShareResults.tsx'

const CHILDREN = { queryKey: ['organisations', 'children'] }

/** Shares playbooks, and notifies of the result. A long share continues while the dialog is closed. */
function useShare() {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const job = useJob<PlaybookShare>({
    name: 'share',
    isRunning: ({ state }) => state === 'SHARING',
    fetchProgress: (id) => call(playbookSharesApi.progress, { params: { id } }),
  })
  /** Id of the share whose result was not notified yet. */
  const awaited = useRef<string>(null)
  const request = useMutation({
    mutationFn: (body: { playbookIds: string[]; childEnterpriseIds: string[] }) =>
      call(playbookSharesApi.share, { body }),
    onSuccess: (share) => {
      awaited.current = share.id
      job.begin(share)
    },
    onError: () => {
      notify(SHARING_FAILED, { type: 'error' })
      void client.invalidateQueries(CHILDREN)
    },
  })
  const { id, state } = job.job ?? {}
  const end = useEffectEvent((share: string, isWhole: boolean) => {
    if (awaited.current !== share) return
    awaited.current = null
    if (isWhole) notify(text('playbookDialogs.shared'), { type: 'success' })
    else notify(SHARING_FAILED, { type: 'error' })
    void client.invalidateQueries(CHILDREN)
  })
  useEffect(() => {
    if (id !== undefined && state !== 'SHARING') end(id, state === 'DONE')
  }, [id, state])
  return {
    job,
    request,
    forget: () => {
      job.forget()
      request.reset()
    },
  }
}
type ShareState = ReturnType<typeof useShare>

interface ViewProps {
  state: ShareState
  onClose: () => void
}

/** Error messages of chosen organisations that cannot receive that many playbooks, by id (operations §5). */
const excessOf = (organisations: readonly ChildOrganisation[], chosen: ReadonlySet<string>, count: number) =>
  new Map(
    organisations
      .filter((one) => chosen.has(one.enterpriseId) && remainingCountOf(one) < count)
      .map((one) => [one.enterpriseId, cannotReceive(one.displayName, count)]),
  )

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Typography id={id} variant="h3" sx={{ mb: 1.5 }}>
        {title}
      </Typography>
      {children}
    </section>
  )
}

/** Chooses playbooks and organisations. */
function RequestView({ state: { request }, onClose }: ViewProps) {
  const text = useText()
  const choice = usePlaybookChoice()
  const children = useChildren()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set())
  const excess = excessOf(children.data ?? [], chosen, choice.ids.size)
  const isOver = choice.ids.size > SHARED_AT_ONCE
  const isReady = choice.ids.size > 0 && chosen.size > 0 && excess.size === 0 && !isOver
  return (
    <DialogFrame
      title={text('playbookDialogs.shareTitle')}
      maxWidth="lg"
      isTall
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} />
          <Button
            variant="contained"
            disabled={!isReady}
            loading={request.isPending}
            onClick={() => request.mutate({ playbookIds: [...choice.ids], childEnterpriseIds: [...chosen] })}
          >
            {text('playbookDialogs.share')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        {request.isPending && (
          <JobProgress
            text={text('playbookDialogs.sharing')}
            label={text('playbookDialogs.sharingProgress')}
          />
        )}
        {request.error && <Alert severity="error">{messageOf(request.error, text('kit.wentWrong'))}</Alert>}
        {isOver && <Alert severity="error">{text('playbookDialogs.tooMany', { max: SHARED_AT_ONCE })}</Alert>}
        <Box
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 2fr)' },
            gap: 3,
          }}
        >
          <Section title={text('playbookDialogs.playbooks')}>
            <PlaybookPicker choice={choice} />
          </Section>
          <Section title={text('playbookDialogs.organizations')}>
            {children.data ? (
              <OrganisationPicker
                organisations={children.data}
                chosen={chosen}
                onChange={setChosen}
                problems={excess}
              />
            ) : (
              <Awaiting queries={[children]} height={240} />
            )}
          </Section>
        </Box>
      </Box>
    </DialogFrame>
  )
}

/** Progress of a share, and the result of each playbook at each organisation. */
function JobView({ share, state: { job, forget }, onClose }: ViewProps & { share: PlaybookShare }) {
  const text = useText()
  const notify = useNotify()
  const isRunning = share.state === 'SHARING' && !job.isGone
  const close = () => {
    if (isRunning) notify(text('playbookDialogs.sharingGoesOn'), { type: 'info' })
    else forget()
    onClose()
  }
  const done = share.results.filter(({ outcome }) => outcome === 'SHARED').length
  return (
    <DialogFrame
      title={text('playbookDialogs.shareTitle')}
      onClose={close}
      actions={
        <>
          {!isRunning && (
            <Button color="inherit" onClick={forget}>
              {text('playbookDialogs.shareOthers')}
            </Button>
          )}
          {/* Ignores double clicks: the second click on Share lands on this button. */}
          <Button variant="contained" onClick={({ detail }) => detail < 2 && close()}>
            {text(isRunning ? 'kit.close' : 'grid.done')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        {isRunning && (
          <JobProgress
            text={text('playbookDialogs.sharingLong')}
            label={text('playbookDialogs.sharingProgress')}
            value={share.progress}
            warning={job.isLost ? text('playbookDialogs.sharingLost') : undefined}
          />
        )}
        {job.isGone && <Alert severity="warning">{text('playbookDialogs.sharingGone')}</Alert>}
        {share.state === 'FAILED' && <Alert severity="error">{SHARING_FAILED}</Alert>}
        <Box sx={{ fontWeight: 600 }}>
          {text('playbookDialogs.sharedCount', { done, count: share.results.length })}
        </Box>
        <ShareResults results={share.results} />
      </Box>
    </DialogFrame>
  )
}

interface Props {
  open: boolean
  onClose: () => void
}

/**
 * Shares playbooks with child organisations (operations §2 "Share Playbooks", §5, §8). While mounted it
 * notifies of a share's result, open or closed.
 */
export function ShareDialog({ open, onClose }: Props) {
  const state = useShare()
  const share = state.job.job
  if (!open) return null
  return share ? (
    <JobView share={share} state={state} onClose={onClose} />
  ) : (
    <RequestView state={state} onClose={onClose} />
  )
}
