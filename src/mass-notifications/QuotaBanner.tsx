import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useLocaleState } from 'react-admin'

import { CONFIG } from '#contract/config/catalogue.ts'
import type { Feature } from '#contract/features/schema.ts'
import { NOT_SUBSCRIBED } from '#contract/mass-notifications/schema.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'
import { RequestUpgrade } from '#src/features/RequestUpgrade.tsx'
import { useConfig } from '#src/config/useConfig.ts'

import { Notice } from './Notice.tsx'
import { useQuota } from './queries.ts'

const Ask = ({ feature, label }: { feature: Feature; label: string }) => (
  <RequestUpgrade feature={feature}>{label}</RequestUpgrade>
)

interface Props {
  /** Hides the banner while the quota suffices. */
  quiet?: boolean
}

/** The organisation's remaining quota, and a link to request more (administration §8). */
export function QuotaBanner({ quiet = false }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const { data, error, refetch } = useQuota()
  const { massNotifsQuotaWarnings: warnings = CONFIG.massNotifsQuotaWarnings.default } = useConfig() ?? {}
  if (!data && error)
    return (
      <Notice tone="warning">
        {text('massNotifications.fetchFailed')}
        <Button size="small" onClick={() => void refetch()}>
          {text('kit.retry')}
        </Button>
      </Notice>
    )
  if (!data) return quiet ? null : <Skeleton variant="rounded" height={56} />
  if (!data.subscribed)
    return (
      <Notice tone="warning">
        {NOT_SUBSCRIBED}
        <Ask feature="MASS_NOTIFICATIONS" label={text('massNotifications.requestAccess')} />
      </Notice>
    )
  const low = warnings.some((number) => data.remainingEvents < number)
  if (quiet && !low) return null
  const sentence = text('massNotifications.remaining', {
    count: formatNumber(locale, data.remainingEvents),
  })
  return (
    <Notice {...(low && { tone: 'warning' as const })}>
      <span>{sentence}</span>
      {low && <Ask feature="MORE_NOTIFICATIONS" label={text('massNotifications.requestMore')} />}
    </Notice>
  )
}
