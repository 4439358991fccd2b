import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useNotify } from 'react-admin'

import { saysSomething } from '#contract/incidents/schema.ts'
import { LONG_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import { REPORT_REQUIRED, type SituationReport } from '#contract/situation-reports/schema.ts'
import { situationReports as words } from '#providers/i18n/situation-reports.ts'
import { usePeople } from '#providers/people.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { useConfig } from '#src/config/useConfig.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { useTyped } from '#src/kit/form/useDraft.ts'
import { trimmed, wordsOf } from '#src/kit/rich-text/prose.ts'
import { RichText } from '#src/kit/rich-text/RichText.tsx'
import { useText } from '#src/kit/useText.ts'

import { type Stale, StaleNotice } from '../feed/StaleNotice.tsx'
import { useReportActs } from './queries.ts'

const MIN_HEIGHT = 275
const MAX_HEIGHT = 560

/** The words of a draft, what others saved meanwhile, and the acts. */
function useDraft(report: SituationReport) {
  const text = useText()
  const notify = useNotify()
  const { save, publish, discard, renew, get } = useReportActs(report.incidentId)
  const [base, setBase] = useState(report)
  const [html, setHtml] = useState(report.content)
  const [stale, setStale] = useState<Stale | null>(null)
  const [busy, setBusy] = useState<'save' | 'publish' | null>(null)
  const written = trimmed(html)
  const isTyped = written !== trimmed(base.content)
  // A version that others saved is shown at once where nothing is typed.
  if (report.version > base.version && !isTyped) {
    setBase(report)
    setHtml(report.content)
  }
  const error =
    written.length > LONG_TEXT_MAX
      ? tooLong(LONG_TEXT_MAX)
      : saysSomething(written)
        ? undefined
        : REPORT_REQUIRED
  const { guard, letGo } = useLeaveGuard(isTyped)
  useTyped('situation report', {
    value: { html, base },
    isTyped,
    restore: (kept) => {
      setHtml(kept.html)
      setBase(kept.base)
    },
  })
  /** The saved draft; null where somebody else saved it meanwhile, or the save failed. */
  const saved = async (): Promise<SituationReport | null> => {
    if (error !== undefined) return null
    if (!isTyped) return base
    try {
      const next = await save(base, written)
      setBase(next)
      setHtml(next.content)
      setStale(null)
      return next
    } catch (problem) {
      if (problem instanceof HttpProblem && problem.body.code === 'stale')
        setStale({ message: problem.message, theirs: null })
      else notify(messageOf(problem, text('kit.wentWrong')), { type: 'error' })
      return null
    }
  }
  const onSave = async () => {
    setBusy('save')
    const next = await saved()
    setBusy(null)
    if (!next) return
    notify(words.saved, { type: 'success' })
    await renew()
  }
  const onPublish = async () => {
    setBusy('publish')
    try {
      const next = await saved()
      if (!next) return
      letGo()
      const { state } = await publish(next)
      notify(state === 'WAITING' ? words.submitted : words.published, { type: 'success' })
    } catch (problem) {
      notify(messageOf(problem, text('kit.wentWrong')), { type: 'error' })
    } finally {
      setBusy(null)
    }
  }
  const onDiscard = async () => {
    letGo()
    await discard(base)
    notify(words.discarded, { type: 'success' })
  }
  /** Takes the version that others saved as the base, and shows their words beside the own. */
  const onReload = async () => {
    try {
      const theirs = await get(base)
      const isSame = trimmed(theirs.content) === written
      setStale(
        (known) =>
          known && {
            ...known,
            theirs: isSame ? [] : [{ label: words.label, value: wordsOf(theirs.content) }],
          },
      )
      setBase(theirs)
    } catch (problem) {
      notify(messageOf(problem, text('kit.wentWrong')), { type: 'error' })
    }
  }
  return { base, html, setHtml, stale, busy, error, isTyped, guard, onSave, onPublish, onDiscard, onReload }
}

/** The draft of a situation report, written in place. */
export function DraftEditor({ report }: { report: SituationReport }) {
  const text = useText()
  const { nameOf } = usePeople()
  const draft = useDraft(report)
  const [asked, setAsked] = useState<'publish' | 'discard' | null>(null)
  const needsApproval = useConfig()?.situationReportApproval ?? false
  const { busy, error, isTyped, stale } = draft
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {report.returnReason !== null && (
        <Alert severity="warning">
          <strong>{words.returned(nameOf(report.returnedBy ?? ''))}:</strong> {report.returnReason}
        </Alert>
      )}
      <RichText
        label={words.label}
        value={draft.html}
        onChange={draft.setHtml}
        error={error}
        maxLength={LONG_TEXT_MAX}
        minHeight={MIN_HEIGHT}
        maxHeight={MAX_HEIGHT}
      />
      {stale && <StaleNotice stale={stale} onReload={() => void draft.onReload()} busy={false} />}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 1 }}>
        <Button
          color="inherit"
          disabled={busy !== null}
          onClick={() => setAsked('discard')}
          sx={{ mr: 'auto' }}
        >
          {words.discard}
        </Button>
        <Button
          color="inherit"
          disabled={busy !== null || !isTyped || error !== undefined}
          onClick={() => void draft.onSave()}
        >
          {busy === 'save' ? words.saving : words.save}
        </Button>
        <Button
          variant="contained"
          disabled={busy !== null || error !== undefined}
          onClick={() => (needsApproval ? void draft.onPublish() : setAsked('publish'))}
        >
          {needsApproval ? words.submit : words.publish}
        </Button>
      </Box>
      {asked === 'publish' && (
        <ConfirmDialog
          open
          title={words.publishTitle}
          text={words.publishText}
          submitLabel={words.publish}
          onSubmit={draft.onPublish}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'discard' && (
        <ConfirmDialog
          open
          destructive
          title={words.discardTitle}
          text={words.discardText}
          submitLabel={words.discard}
          cancelLabel={text('kit.cancel')}
          onSubmit={draft.onDiscard}
          onClose={() => setAsked(null)}
        />
      )}
      {draft.guard}
    </Box>
  )
}
