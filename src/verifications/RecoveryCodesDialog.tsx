import Typography from '@mui/material/Typography'
import { useEffect, useRef } from 'react'

import { useSession } from '#providers/session.ts'
import { useText } from '#src/kit/useText.ts'

import { RecoveryCodes } from './RecoveryCodes.tsx'
import { TwoFactorFrame } from './TwoFactorFrame.tsx'

interface Props {
  codes: readonly string[]
  /** True if they replace earlier codes, which no longer work. */
  replaced?: boolean
  onSaved: () => void
}

/** Shows a signed-in person new recovery codes. Only its button closes the dialog. */
export function RecoveryCodesDialog({ codes, replaced = false, onSaved }: Props) {
  const text = useText()
  const { user, staff } = useSession()
  const email = user?.email ?? staff?.email ?? ''
  const lead = useRef<HTMLParagraphElement>(null)
  // The button that had the focus is gone.
  useEffect(() => lead.current?.focus(), [])
  const labels = {
    copy: text('verifications.copy'),
    download: text('verifications.download'),
    done: text('verifications.done'),
  }
  return (
    <TwoFactorFrame title={text('verifications.codesTitle')}>
      <RecoveryCodes variant="dialog" codes={codes} email={email} labels={labels} onSaved={onSaved}>
        <Typography ref={lead} tabIndex={-1} sx={{ color: 'text.secondary', outline: 'none' }}>
          {text('verifications.codesText')} {replaced && text('verifications.codesReplace')}
        </Typography>
      </RecoveryCodes>
    </TwoFactorFrame>
  )
}
