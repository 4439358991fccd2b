import Box from '@mui/material/Box'
import { useLocaleState } from 'ra-core'

import { smsTooLong } from '#contract/mass-notifications/rules.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  /** What is typed; as it will be sent, without spaces around it, it counts. */
  text: string
  /** Characters that an SMS may have: the configuration item `massNotifsSmsMessageLimit`. */
  limit: number
}

/** How much room is left in an SMS or automated voice message, or that there is none (administration §5). */
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
