import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useNotify } from 'react-admin'

import type { DutyClock } from '#contract/duties/schema.ts'
import { LONG_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import { dutyClocks as words } from '#providers/i18n/duties.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { useTyped } from '#src/kit/form/useDraft.ts'
import { trimmed, wordsOf } from '#src/kit/rich-text/prose.ts'
import { RichText } from '#src/kit/rich-text/RichText.tsx'
import { useText } from '#src/kit/useText.ts'

import { type Stale, StaleNotice } from '../feed/StaleNotice.tsx'
import { useClockActs } from './queries.ts'

const MIN_HEIGHT = 120
const MAX_HEIGHT = 480

/** The words of a draft, and what others saved meanwhile. */
function useWords(clock: DutyClock) {
  const text = useText()
  const notify = useNotify()
  const { change } = useClockActs(clock.incidentId)
  const [base, setBase] = useState(clock)
  const [html, setHtml] = useState(clock.draft)
  const [stale, setStale] = useState<Stale | null>(null)
  const written = trimmed(html)
  const isTyped = written !== trimmed(base.draft)
  // A version that others saved is shown at once where nothing is typed.
  if (clock.version > base.version && !isTyped) {
    setBase(clock)
    setHtml(clock.draft)
  }
  const error = written.length > LONG_TEXT_MAX ? tooLong(LONG_TEXT_MAX) : undefined
  const { guard } = useLeaveGuard(isTyped)
  useTyped(`draft ${clock.id}`, {
    value: { html, base },
    isTyped,
    restore: (kept) => {
      setHtml(kept.html)
      setBase(kept.base)
    },
  })
  const save = () =>
    change.mutate(
      { clock: base, body: { draft: written } },
      {
        onSuccess: (next) => {
          setBase(next)
          setHtml(next.draft)
          setStale(null)
          notify(words.saved, { type: 'success' })
        },
        onError: (problem) => {
          if (problem instanceof HttpProblem && problem.body.code === 'stale')
            setStale({ message: problem.message, theirs: null })
          else notify(messageOf(problem, text('kit.wentWrong')), { type: 'error' })
        },
      },
    )
  /** Takes the version that others saved as the base, and shows their words beside the own. */
  const reload = () => {
    const isSame = trimmed(clock.draft) === written || clock.draft === base.draft
    setStale(
      (known) =>
        known && { ...known, theirs: isSame ? [] : [{ label: words.draft, value: wordsOf(clock.draft) }] },
    )
    setBase(clock)
  }
  return { html, setHtml, error, isTyped, stale, save, reload, guard, busy: change.isPending }
}

/** The draft of what is filed, written in place. */
export function DraftField({ clock }: { clock: DutyClock }) {
  const { html, setHtml, error, isTyped, stale, save, reload, guard, busy } = useWords(clock)
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <RichText
        label={words.draft}
        value={html}
        onChange={setHtml}
        error={error}
        maxLength={LONG_TEXT_MAX}
        minHeight={MIN_HEIGHT}
        maxHeight={MAX_HEIGHT}
      />
      {stale && <StaleNotice stale={stale} onReload={reload} busy={false} />}
      <Button
        color="inherit"
        disabled={busy || !isTyped || error !== undefined}
        onClick={save}
        sx={{ justifySelf: 'end', minHeight: { xs: 44, sm: 36 } }}
      >
        {busy ? words.saving : words.save}
      </Button>
      {guard}
    </Box>
  )
}
