import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocaleState } from 'react-admin'
import { useId, useState } from 'react'

import type { CheckFrom, CheckResult } from '#contract/audit-log/schema.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { exactTime, formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Fingerprint } from './Fingerprint.tsx'

function Verdict({ result }: { result: CheckResult }) {
  const text = useText()
  const [locale] = useLocaleState()
  const number = (value: number) => formatNumber(locale, value)
  const { holdsTo, brokenAt, timestamp, fingerprint } = result
  const last = number(holdsTo)
  if (brokenAt !== null)
    return (
      <Alert severity="error">
        <AlertTitle>{text('auditLog.broken')}</AlertTitle>
        {text('auditLog.brokenText', { broken: number(brokenAt) })}{' '}
        {holdsTo > 0 ? text('auditLog.brokenHolds', { last }) : text('auditLog.brokenAll')}
      </Alert>
    )
  return (
    <>
      <Alert severity="success">
        <AlertTitle>{text('auditLog.whole')}</AlertTitle>
        {timestamp
          ? text('auditLog.wholeText', { count: last, last, time: exactTime(locale, Date.parse(timestamp)) })
          : text('auditLog.wholeEmpty')}
      </Alert>
      {fingerprint && (
        <Fingerprint
          label={text('auditLog.lastFingerprint', { last })}
          help={text('auditLog.keepIt')}
          value={fingerprint}
        />
      )}
    </>
  )
}

/** Has the server verify the hash chain part by part, and shows the result. */
export function CheckDialog({
  check,
  onClose,
}: {
  /** Verifies the part after `from`. */
  check: (from: CheckFrom, signal: AbortSignal) => Promise<CheckResult>
  onClose: () => void
}) {
  const text = useText()
  const [locale] = useLocaleState()
  const titleId = useId()
  const queryClient = useQueryClient()
  const [progress, setProgress] = useState<CheckResult>()
  const {
    data: result,
    error,
    refetch,
  } = useQuery({
    queryKey: ['audit-log check'],
    queryFn: async ({ signal }) => {
      let from: { after: number; fingerprint: string | null } = { after: 0, fingerprint: null }
      for (;;) {
        const part: CheckResult = await check(from, signal)
        setProgress(part)
        if (part.done) {
          void queryClient.invalidateQueries({ queryKey: ['audit-log'] })
          return part
        }
        from = { after: part.holdsTo, fingerprint: part.fingerprint }
      }
    },
    retry: false,
    // Each opening of the dialog verifies the chain again, once.
    gcTime: 0,
    staleTime: Infinity,
    refetchOnReconnect: false,
  })

  const content = () => {
    if (error)
      return <ErrorState error={error} text={text('auditLog.checkFailed')} onRetry={() => void refetch()} />
    if (result) return <Verdict result={result} />
    const { holdsTo: done, total } = progress ?? { holdsTo: 0, total: 0 }
    return (
      <Box role="status">
        <LinearProgress
          aria-labelledby={titleId}
          {...(total > 0 ? { variant: 'determinate', value: (done / total) * 100 } : {})}
        />
        <Box sx={{ mt: 1, color: 'text.secondary' }}>
          {total > 0
            ? text('auditLog.checking', {
                done: formatNumber(locale, done),
                total: formatNumber(locale, total),
              })
            : text('kit.loading')}
        </Box>
      </Box>
    )
  }
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{text('auditLog.checkTitle')}</DialogTitle>
      <DialogContent sx={{ minHeight: 200 }}>
        <Box sx={{ mb: 2, color: 'text.secondary' }}>{text('auditLog.checkText')}</Box>
        {content()}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{text('kit.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
