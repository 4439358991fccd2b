import TextField from '@mui/material/TextField'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import { MEDIUM_TEXT_MAX } from '#contract/kit/text.ts'
import type { OpenedPlaybook, PlaybookDraft } from '#contract/playbooks/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import { useDiscardDraft, usePublishDraft, useReturnDraft, useUpdatePlaybook } from '../queries.ts'

interface DraftAction {
  readonly label: string
  readonly act: () => void
  readonly isBusy?: boolean
}
type Question = 'publish' | 'return' | 'discard'

/** Asks for the approval of a draft by saving it once more. */
function useAskApproval({ id, version }: OpenedPlaybook, draft: PlaybookDraft | undefined) {
  const text = useText()
  const notify = useNotify()
  const update = useUpdatePlaybook()
  const ask = async () => {
    const { content, owner, reviewDate, revision: draftRevision } = draft!
    try {
      await update.mutateAsync({ id, body: { ...content, owner, reviewDate, version, draftRevision } })
      notify(text('playbooks.approvalAsked'), { type: 'success' })
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    }
  }
  return { ask: () => void ask(), isBusy: update.isPending }
}

/** What a person may do with a draft, the most likely first, and the dialog that asks before. */
export function useDraftActions(playbook: OpenedPlaybook, draft: PlaybookDraft | undefined) {
  const text = useText()
  const needsApproval = useConfig()?.playbookApproval === true
  const [question, setQuestion] = useState<Question>()
  const { ask, isBusy } = useAskApproval(playbook, draft)
  const isWaiting = playbook.draft?.state === 'WAITING'
  const canApprove = needsApproval && isWaiting && draft?.isOwn === false
  const actions: DraftAction[] = [
    ...(!needsApproval ? [{ label: text('playbooks.publish'), act: () => setQuestion('publish') }] : []),
    ...(canApprove
      ? [
          { label: text('playbooks.approve'), act: () => setQuestion('publish') },
          { label: text('playbooks.sendBack'), act: () => setQuestion('return') },
        ]
      : []),
    ...(needsApproval && !isWaiting ? [{ label: text('playbooks.askApproval'), act: ask, isBusy }] : []),
    ...(playbook.isPublished
      ? [{ label: text('playbooks.discardDraft'), act: () => setQuestion('discard') }]
      : []),
  ]
  const dialog = draft && (
    <DraftQuestion
      question={question}
      isApproval={canApprove}
      playbook={playbook}
      draft={draft}
      onClose={() => setQuestion(undefined)}
    />
  )
  return { actions, dialog }
}

interface QuestionProps {
  question: Question | undefined
  isApproval: boolean
  playbook: OpenedPlaybook
  draft: PlaybookDraft
  onClose: () => void
}

function DraftQuestion({ question, isApproval, playbook, draft, onClose }: QuestionProps) {
  const text = useText()
  const notify = useNotify()
  const [publish, sendBack, discard] = [usePublishDraft(), useReturnDraft(), useDiscardDraft()]
  const [reason, setReason] = useState('')
  const { id, version } = playbook
  const { revision } = draft
  const say = (message: string) => notify(message, { type: 'success' })
  return (
    <>
      <ConfirmDialog
        open={question === 'publish'}
        title={text(isApproval ? 'playbooks.approveTitle' : 'playbooks.publishTitle')}
        text={text('playbooks.publishText', { name: draft.content.name })}
        submitLabel={text(isApproval ? 'playbooks.approve' : 'playbooks.publish')}
        onSubmit={async () => {
          await publish.mutateAsync({ id, revision, version })
          say(text('playbooks.published'))
        }}
        onClose={onClose}
      />
      <ConfirmDialog
        open={question === 'return'}
        title={text('playbooks.sendBackTitle')}
        submitLabel={text('playbooks.sendBack')}
        disabled={reason.trim() === ''}
        onSubmit={async () => {
          await sendBack.mutateAsync({ id, revision, reason: reason.trim() })
          setReason('')
          say(text('playbooks.sentBack'))
        }}
        onClose={onClose}
      >
        <TextField
          label={text('playbooks.sendBackReason')}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          slotProps={{ htmlInput: { maxLength: MEDIUM_TEXT_MAX } }}
          required
          multiline
          minRows={3}
          fullWidth
          autoFocus
        />
      </ConfirmDialog>
      <ConfirmDialog
        open={question === 'discard'}
        title={text('playbooks.discardDraftTitle')}
        text={text('playbooks.discardDraftText')}
        submitLabel={text('playbooks.discardDraft')}
        destructive
        onSubmit={async () => {
          await discard.mutateAsync({ id, revision })
          say(text('playbooks.draftDiscarded'))
        }}
        onClose={onClose}
      />
    </>
  )
}
