import { type ReactNode, useCallback, useEffect, useState } from 'react'

import { CODE_LENGTH, type Enrolment } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'

import { CodeForm, type StepProps } from './CodeForm.tsx'
import { CopyButton } from './CopyButton.tsx'
import type { EnrolmentResult } from './queries.ts'
import { StepHeading } from './StepHeading.tsx'

/** Sets an authenticator app up: the secret first, then a code that proves that the app has it. */
export function EnrolmentStep({ onEnrolled, ...step }: StepProps & { onEnrolled: () => void }) {
  const { pending, onCancel, onExpired } = step
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [failed, setFailed] = useState(false)
  const load = useCallback(async () => {
    setFailed(false)
    const result = await import('./queries.ts').then(
      ({ beginEnrolment }) => beginEnrolment(pending),
      (): EnrolmentResult => ({ kind: 'failed' }),
    )
    if (result.kind === 'ready') return setEnrolment(result.enrolment)
    if (result.kind === 'enrolled') return onEnrolled()
    return result.kind === 'over' ? onExpired() : setFailed(true)
    // oxlint-disable-next-line react/exhaustive-deps -- asked for once for each sign-in, whoever listens
  }, [pending])
  useEffect(() => void load(), [load])

  const inSteps = (field: ReactNode) => (
    <ol className="steps">
      <li>{texts.installApp}</li>
      <li>
        {texts.scan}
        <Secret enrolment={enrolment} />
      </li>
      <li>
        {texts.enterCode}
        <div className="step-entry">{field}</div>
      </li>
    </ol>
  )
  return (
    <>
      <StepHeading>{texts.enrolTitle}</StepHeading>
      <p className="plain-lead">{texts.enrolText}</p>
      {failed ? (
        <NotLoaded onRetry={() => void load()} onCancel={onCancel} />
      ) : (
        <CodeForm
          {...step}
          label={texts.totpCode}
          length={CODE_LENGTH.TOTP}
          incomplete={texts.totpIncomplete}
          submit={texts.verify}
          around={inSteps}
        />
      )}
    </>
  )
}

/** The secret as an image and in groups of four; its places are kept while it loads. */
function Secret({ enrolment }: { enrolment: Enrolment | undefined }) {
  const [notCopied, setNotCopied] = useState(false)
  const groups = enrolment?.secret.match(/.{1,4}/g) ?? []
  return (
    <div className="secret" aria-busy={!enrolment}>
      <div className="secret-image">
        {enrolment && <img src={enrolment.qrCode} alt={texts.qrCode} width="160" height="160" />}
      </div>
      <div className="secret-words">
        <p>{texts.cannotScan}</p>
        {enrolment ? (
          <>
            <code dir="ltr" translate="no">
              {groups.join(' ')}
            </code>
            <CopyButton value={enrolment.secret} label={texts.copyKey} onFail={() => setNotCopied(true)} />
            {notCopied && (
              <p className="plain-said" role="alert">
                {texts.notCopied}
              </p>
            )}
          </>
        ) : (
          <output>{texts.loading}</output>
        )}
      </div>
    </div>
  )
}

const NotLoaded = ({ onRetry, onCancel }: { onRetry: () => void; onCancel: () => void }) => (
  <div className="not-loaded">
    <p className="plain-note" data-tone="error" role="alert">
      {texts.notLoaded}
    </p>
    <div className="plain-buttons">
      <button type="button" className="plain-button" data-tone="quiet" onClick={onCancel}>
        {texts.cancel}
      </button>
      <button type="button" className="plain-button" onClick={onRetry}>
        {texts.retry}
      </button>
    </div>
  </div>
)
