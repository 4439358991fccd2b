import Link from '@mui/material/Link'
import { useState } from 'react'

import { useText } from '#src/kit/useText.ts'

import { RequestUpgrade } from '#src/features/RequestUpgrade.tsx'
import { useConfig } from '#src/config/useConfig.ts'
import { DialInDialog } from './DialInDialog.tsx'

/** Opens the dial-in details of a call; if the organisation has none, requests them (operations §6). */
export function DialInLink({ callId, title }: { callId: string; title: string }) {
  const text = useText()
  const config = useConfig()
  const [isOpen, setIsOpen] = useState(false)
  if (!config) return null
  if (!config.dialInEnabled)
    return <RequestUpgrade feature="DIAL_IN">{text('calls.requestDialIn')}</RequestUpgrade>
  return (
    <>
      <Link component="button" type="button" onClick={() => setIsOpen(true)}>
        {text('calls.dialIn')}
      </Link>
      {isOpen && <DialInDialog callId={callId} title={title} onClose={() => setIsOpen(false)} />}
    </>
  )
}
