import Box from '@mui/material/Box'
import { useLocaleState } from 'react-admin'
import { type Control, useWatch } from 'react-hook-form'

import { costOf, type Price, type Prices } from '#contract/kit/message-prices.ts'
import { smsSegments, smsText } from '#contract/mass-notifications/rules.ts'
import type { NotificationDashboard } from '#contract/mass-notifications/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { type Draft, useQuota, wordsAround } from './queries.ts'

type Written = Pick<Draft, 'types' | 'level' | 'smsMessage' | 'question' | 'language'>

/** The SMS of a draft, as long as the longest that goes out. */
export const smsOf = (
  { level, smsMessage, question, language }: Written,
  quota: NotificationDashboard | undefined,
): string =>
  smsText(
    level,
    smsMessage.trim(),
    question ? (quota?.answerLink ?? '') : undefined,
    quota?.takesReplies ? question : null,
    wordsAround(quota, { language }),
  )

/** Sums below this one have four digits: prices of one SMS do. */
const SMALL_SUM = 0.1

/** A price in its currency, with as many digits as small sums need. */
export const formatPrice = (locale: string, { currency, amount }: Price): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    maximumFractionDigits: amount > 0 && amount < SMALL_SUM ? 4 : 2,
  }).format(amount)

/** Estimated price of a draft; undefined without a price list, and before anybody is chosen. */
export function useCost(draft: Written, prices: Prices | undefined): string | undefined {
  const [locale] = useLocaleState()
  const { data: quota } = useQuota()
  if (!prices) return undefined
  const amount = costOf(prices, draft.types, smsSegments(smsOf(draft, quota)).count)
  return formatPrice(locale, { currency: prices.currency, amount })
}

/** Numbers that a draft goes to without a known price. */
const unpricedOf = ({ types }: Written, prices: Prices | undefined): number =>
  (['SMS', 'VOICE_CALL'] as const).reduce(
    (most, type) => Math.max(most, types.includes(type) ? (prices?.unpriced[type] ?? 0) : 0),
    0,
  )

interface Props {
  control: Control<Draft>
  /** Prices for the chosen people; undefined without a price list, and before anybody is chosen. */
  prices: Prices | undefined
}

/** Price of the SMS and calls while they are written, and the letter that makes it higher. */
export function SmsCost({ control, prices }: Props) {
  const text = useText()
  const { data: quota } = useQuota()
  const [types, level, smsMessage, question, language] = useWatch({
    control,
    name: ['types', 'level', 'smsMessage', 'question', 'language'],
  })
  const draft = { types, level, smsMessage, question: question ?? null, language: language ?? null }
  const cost = useCost(draft, prices)
  const byTelephone = types.some((type) => type !== 'EMAIL')
  if (!byTelephone || smsMessage.trim() === '') return null
  const words = smsOf(draft, quota)
  const { count, strange } = smsSegments(words)
  const fewer = strange === undefined ? count : smsSegments(words.replaceAll(/[^\n\r -~]/gu, 'x')).count
  const unpriced = unpricedOf(draft, prices)
  const sentences = [
    types.includes('SMS') &&
      fewer < count &&
      text('massNotifications.makesMore', { letter: strange ?? '', count, smart_count: fewer }),
    cost !== undefined && text('massNotifications.costs', { price: cost }),
    cost !== undefined && unpriced > 0 && text('massNotifications.unpriced', { smart_count: unpriced }),
  ].filter((sentence) => sentence !== false)
  if (sentences.length === 0) return null
  return (
    <Box
      component="ul"
      aria-label={text('massNotifications.costTitle')}
      sx={{ m: 0, mt: -1.5, p: 0, listStyle: 'none', fontSize: '0.8125rem', color: 'text.secondary' }}
    >
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </Box>
  )
}
