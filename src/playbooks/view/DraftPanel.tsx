import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import type { OpenedPlaybook, PlaybookDraft } from '#contract/playbooks/schema.ts'
import { usePeople } from '#providers/people.ts'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { longDate } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { Difference } from '../editor/Difference.tsx'
import { useDraft } from '../queries.ts'
import { useDraftActions } from './useDraftActions.tsx'

interface Props {
  playbook: OpenedPlaybook
}

/** The state of a draft in sentences. */
function About({ playbook, draft }: Props & { draft: PlaybookDraft }) {
  const text = useText()
  const { nameOf } = usePeople()
  const name = nameOf(draft.savedBy)
  return (
    <Box sx={{ display: 'grid', gap: 0.5 }}>
      <Box>
        {text('playbooks.draftBy', { name })}, <Time at={draft.savedTimestamp} />.{' '}
        {text(draft.state === 'WAITING' ? 'playbooks.draftWaits' : 'playbooks.draftSeen')}
      </Box>
      {draft.state === 'WAITING' && draft.isOwn && <Box>{text('playbooks.draftWaitsOwn')}</Box>}
      {draft.state === 'RETURNED' && (
        <Box>
          {text('playbooks.draftReturned', { name: nameOf(draft.returnedBy ?? '') })}
          <PlainText text={draft.returnReason ?? ''} />
        </Box>
      )}
      {!playbook.isPublished && <Box>{text('playbooks.draftNew')}</Box>}
      {playbook.isPublished && draft.baseVersion < playbook.version && (
        <Box sx={{ fontWeight: 600 }}>{text('playbooks.draftBehind')}</Box>
      )}
    </Box>
  )
}

/** The difference between the published version and the draft. */
function Changes({ playbook, draft }: Props & { draft: PlaybookDraft }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { nameOf } = usePeople()
  const { owner, reviewDate } = draft
  const facts = [
    ...(owner === playbook.owner
      ? []
      : [[text('playbooks.draftOwner'), owner === null ? text('playbooks.nobody') : nameOf(owner)] as const]),
    ...(reviewDate === playbook.reviewDate
      ? []
      : [
          [
            text('playbooks.draftReviewDate'),
            reviewDate === null ? text('playbooks.noReviewDate') : longDate(locale, Date.parse(reviewDate)),
          ] as const,
        ]),
  ]
  return (
    <Box sx={{ mt: 1.5, p: 1.5, bgcolor: 'background.paper', color: 'text.primary', borderRadius: 1 }}>
      <Difference before={playbook} after={draft.content} />
      {facts.length > 0 && <Facts facts={facts} />}
    </Box>
  )
}

/** The draft of a playbook for people who write playbooks: its state, its changes, and what to do with it. */
export function DraftPanel({ playbook }: Props) {
  const text = useText()
  const [params] = useSearchParams()
  const { data: draft } = useDraft(playbook.id, playbook.draft?.revision)
  const [isShown, setShown] = useState(params.has('draft'))
  const { actions, dialog } = useDraftActions(playbook, draft)
  const state = playbook.draft?.state
  if (!state) return null
  return (
    <Alert
      severity={state === 'DRAFT' ? 'info' : 'warning'}
      role="group"
      aria-label={text(`playbooks.draftStates.${state}`)}
      sx={{ mt: 2 }}
    >
      <AlertTitle>{text(`playbooks.draftStates.${state}`)}</AlertTitle>
      {draft && <About playbook={playbook} draft={draft} />}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1 }}>
        {actions.map(({ label, act, isBusy }, index) => (
          <Button
            key={label}
            size="small"
            variant={index > 0 ? 'text' : playbook.isPublished ? 'outlined' : 'contained'}
            color={index === 0 ? 'primary' : 'inherit'}
            loading={isBusy ?? false}
            disabled={!draft}
            onClick={act}
          >
            {label}
          </Button>
        ))}
        {playbook.isPublished && (
          <Button size="small" color="inherit" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {text(isShown ? 'playbooks.hideChanges' : 'playbooks.seeChanges')}
          </Button>
        )}
      </Box>
      {isShown && draft && playbook.isPublished && <Changes playbook={playbook} draft={draft} />}
      {dialog}
    </Alert>
  )
}
