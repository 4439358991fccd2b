import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { CODE_LENGTH } from '#contract/sessions/schema.ts'
import { staffApi } from '#contract/staff/api.ts'
import { CODE_INCORRECT } from '#contract/verifications/schema.ts'
import { call } from '#providers/api.ts'
import { lockedUntil } from '#providers/lockout.ts'
import { statusOf } from '#providers/problem.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { useText } from '#src/kit/useText.ts'
import { AuthenticatorSteps } from '#src/verifications/AuthenticatorSteps.tsx'
import { CodeForm, type CodeRefusal } from '#src/verifications/CodeForm.tsx'
import { RecoveryCodesDialog } from '#src/verifications/RecoveryCodesDialog.tsx'
import { TwoFactorFrame } from '#src/verifications/TwoFactorFrame.tsx'

/** Sets up an optional authenticator app for staff. */
export function StaffAuthenticator({ onClose }: { onClose: () => void }) {
  const text = useText()
  const queryClient = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  const enrolment = useQuery({
    queryKey: ['staff', 'enrolment'],
    queryFn: ({ signal }) => call(staffApi.beginEnrolment, { signal }),
    gcTime: 0,
  })
  const confirm = async (confirmationCode: string): Promise<CodeRefusal | undefined> => {
    try {
      setCodes((await call(staffApi.confirmEnrolment, { body: { confirmationCode } })).recoveryCodes)
      return undefined
    } catch (error) {
      const until = lockedUntil(error)
      if (until) return { kind: 'locked', until }
      return statusOf(error) === 400
        ? { kind: 'refused', message: CODE_INCORRECT, clears: true }
        : { kind: 'refused', message: text('kit.wentWrong') }
    }
  }
  const finish = () => {
    void queryClient.invalidateQueries({ queryKey: ['staff'] })
    onClose()
  }
  if (codes) return <RecoveryCodesDialog codes={codes} onSaved={finish} />
  const inSteps = (field: ReactNode) => (
    <>
      <Typography sx={{ color: 'text.secondary' }}>{text('management.staff.own.text')}</Typography>
      <AuthenticatorSteps enrolment={enrolment.data}>{field}</AuthenticatorSteps>
    </>
  )
  return (
    <TwoFactorFrame title={text('management.staff.own.setUp')} onClose={onClose}>
      {enrolment.isError ? (
        <>
          <DialogContent>
            <Alert severity="error">{text('kit.wentWrong')}</Alert>
          </DialogContent>
          <DialogActions>
            <CancelButton onClick={onClose} />
            <Button variant="contained" onClick={() => void enrolment.refetch()}>
              {text('kit.retry')}
            </Button>
          </DialogActions>
        </>
      ) : (
        <CodeForm
          variant="dialog"
          label={text('verifications.appCode')}
          length={CODE_LENGTH.TOTP}
          around={inSteps}
          texts={{
            incomplete: text('verifications.incomplete'),
            submit: text('verifications.verify'),
            submitting: text('verifications.verifying'),
            cancel: text('kit.cancel'),
            wait: text('verifications.attemptAfter'),
            over: text('verifications.attemptNow'),
          }}
          onCode={confirm}
          onCancel={onClose}
        />
      )}
    </TwoFactorFrame>
  )
}
