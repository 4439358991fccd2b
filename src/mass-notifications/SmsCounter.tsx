import Box from '@mui/material/Box'
import { useLocaleState } from 'react-admin'

import { smsTooLong } from '#contract/mass-notifications/rules.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  /** The typed text; counted without surrounding spaces, as it is sent. */
  text: string
  /** Characters of an SMS: the configuration item `massNotifsSmsMessageLimit`. */
  limit: number
}

/** Remaining length of an SMS or automated voice message, or an error beyond it (administration §5). */
export function SmsCounter({ text: typed, limit }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const left = limit - typed.trim().length
  return left < 0 ? (
    <Box component="span" sx={{ color: 'error.main' }}>
      {smsTooLong(limit)}
    </Box>
  ) : (
    <span>{text('notificationTemplates.remaining', { count: formatNumber(locale, left) })}</span>
  )
}
