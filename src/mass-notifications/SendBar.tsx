import SendRounded from '@mui/icons-material/SendRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'

import {
  NOT_SUBSCRIBED,
  type NotificationType,
  RECIPIENT_REQUIRED,
  TYPE_REQUIRED,
} from '#contract/mass-notifications/schema.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { onceClicked } from '#src/kit/form/onceClicked.ts'
import { useDockedHeight } from '#src/kit/layout/useDockedHeight.ts'
import { useText } from '#src/kit/useText.ts'
import { RequestUpgrade } from '#src/features/RequestUpgrade.tsx'

import { type Reach, useQuota } from './queries.ts'

interface Props {
  reach: Reach
  types: readonly NotificationType[]
  /** True if any list, contact or group is chosen. */
  someone: boolean
  /** True where a second person approves it before it is sent. */
  asksApproval: boolean
}

/** The reason why sending is blocked; null if it is not (administration §5). */
function useHindrance({ reach: { needed }, types, someone }: Props): string | null {
  const text = useText()
  const [locale] = useLocaleState()
  const { data: quota, error } = useQuota()
  if (!quota) return text(error ? 'massNotifications.fetchFailed' : 'massNotifications.checking')
  if (!quota.subscribed) return NOT_SUBSCRIBED
  if (types.length === 0) return TYPE_REQUIRED
  if (!someone) return RECIPIENT_REQUIRED
  if (needed <= quota.remainingEvents) return null
  return text('massNotifications.tooMany', {
    needed: formatNumber(locale, needed),
    remaining: formatNumber(locale, quota.remainingEvents),
  })
}

/** Number of people to be notified, and the send button. Stays in view. */
export function SendBar(props: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const { data: quota } = useQuota()
  const hindrance = useHindrance(props)
  const { contactCount, memberCount, waitingCount, atMost, needed } = props.reach
  const people = contactCount + memberCount + waitingCount
  const count = formatNumber(locale, people)
  const headline = () => {
    if (people === 0) return text('massNotifications.nobody')
    return atMost && people > 1
      ? text('massNotifications.peopleAtMost', { count })
      : text('massNotifications.people', { count, smart_count: people })
  }
  const short = quota?.subscribed === true && needed > quota.remainingEvents
  const takes = text('massNotifications.neededOf', {
    needed: formatNumber(locale, needed),
    remaining: formatNumber(locale, quota?.remainingEvents ?? 0),
  })
  const bar = useDockedHeight()
  return (
    <Box
      ref={bar}
      sx={{
        position: 'sticky',
        bottom: { xs: 'calc(56px + env(safe-area-inset-bottom))', sm: 0 },
        zIndex: 2,
        display: 'grid',
        gridTemplateColumns: 'minmax(min-content, 1fr) auto',
        alignItems: 'center',
        columnGap: 2,
        rowGap: 0.5,
        mx: { xs: -2, md: -3 },
        px: { xs: 2, md: 3 },
        py: 1.5,
        bgcolor: 'background.paper',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box
        component="output"
        sx={{ fontSize: { xs: '1.125rem', sm: '1.5rem' }, fontWeight: 600, lineHeight: 1.25 }}
      >
        {headline()}
      </Box>
      <Box sx={{ gridRow: 2, gridColumn: { xs: '1 / -1', sm: 1 }, lineHeight: 1.35 }}>
        <Box component="output" sx={{ color: short ? 'error.main' : 'text.secondary' }}>
          {hindrance ?? takes}
          {props.asksApproval && hindrance === null && ` · ${text('approvals.needed')}`}
        </Box>{' '}
        {short && (
          <RequestUpgrade feature="MORE_NOTIFICATIONS">
            {text('massNotifications.requestMore')}
          </RequestUpgrade>
        )}
      </Box>
      <Button
        type="submit"
        size="large"
        variant="contained"
        startIcon={<SendRounded />}
        disabled={hindrance !== null}
        onClick={onceClicked}
        sx={{ gridColumn: 2, gridRow: { xs: 1, sm: '1 / 3' }, minHeight: 48, px: { xs: 2, sm: 3 } }}
      >
        {text(props.asksApproval ? 'approvals.ask' : 'massNotifications.send')}
      </Button>
    </Box>
  )
}
