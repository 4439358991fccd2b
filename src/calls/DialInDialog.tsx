import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { useLocaleState, useNotify } from 'react-admin'

import { callsApi } from '#contract/calls/api.ts'
import { pinText } from '#contract/calls/rules.ts'
import type { DialInNumber } from '#contract/calls/schema.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { telOf } from '#src/kit/phones.ts'
import { useText } from '#src/kit/useText.ts'

import { CopyButton } from '#src/kit/form/CopyButton.tsx'

/** Countries listed first (foundation §9). */
const FIRST = ['CA', 'US']
const placeOf = ({ countryCode, tollFree }: DialInNumber): number =>
  (FIRST.includes(countryCode) ? 0 : 2) + (tollFree ? 0 : 1)
const inOrder = (numbers: readonly DialInNumber[]) =>
  numbers.toSorted((a, b) => placeOf(a) - placeOf(b) || a.countryCode.localeCompare(b.countryCode))

const countryNames = (locale: string) => {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
  // The dial-in service does not guarantee valid country codes.
  return (code: string) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)
}

/** The numbers with their countries, sorted for display. */
function useNumbers(numbers: readonly DialInNumber[]) {
  const text = useText()
  const [locale] = useLocaleState()
  const nameOf = countryNames(locale)
  return inOrder(numbers).map(({ countryCode, tollFree, formattedNumber }) => ({
    number: formattedNumber,
    kind: nameOf(countryCode) + (tollFree ? ` · ${text('calls.tollFree')}` : ''),
  }))
}

const fact = { m: 0, fontSize: '1.125rem', fontWeight: 600, fontVariantNumeric: 'tabular-nums' } as const
const label = { fontSize: '0.8125rem', color: 'text.secondary' } as const

interface DetailsProps {
  pin: string
  numbers: readonly { readonly number: string; readonly kind: string }[]
}
function Details({ pin, numbers }: DetailsProps) {
  const text = useText()
  return (
    <Box component="dl" sx={{ display: 'grid', gap: 2, m: 0 }}>
      <div>
        <Box component="dt" sx={label}>
          {text('calls.pin')}
        </Box>
        <Box component="dd" dir="ltr" sx={{ ...fact, textAlign: 'start' }}>
          {pin}
        </Box>
      </div>
      {numbers.map(({ number, kind }) => (
        <div key={`${kind} ${number}`}>
          <Box component="dt" sx={label}>
            {kind}
          </Box>
          <Box component="dd" dir="ltr" sx={{ ...fact, textAlign: 'start' }}>
            <Link href={telOf(number.replaceAll(/[^+\d]/g, ''))} color="inherit">
              {number}
            </Link>
          </Box>
        </div>
      ))}
    </Box>
  )
}

interface Props {
  callId: string
  title: string
  onClose: () => void
}

/** The call's dial-in numbers and PIN (operations §9; foundation §9). */
export function DialInDialog({ callId, title, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', 'dial-in', callId],
    queryFn: ({ signal }) => call(callsApi.dialIn, { params: { id: callId }, signal }),
    retry: false,
  })
  const numbers = useNumbers(data?.numbers ?? [])
  const pin = data ? pinText(data.pin) : ''
  const copied = [
    text('calls.details', { title }),
    ...numbers.map(({ kind, number }) => `${kind}: ${number}`),
    `${text('calls.pin')}: ${pin}`,
  ].join('\n')
  return (
    <DialogFrame
      title={text('calls.dialIn')}
      lead={<Lead>{text('calls.dialInText')}</Lead>}
      isShort
      onClose={onClose}
      actions={
        <>
          {data && (
            <CopyButton
              value={copied}
              label={text('calls.copyDetails')}
              onFail={() => notify(text('calls.copyFailed'), { type: 'error' })}
            />
          )}
          <Button onClick={onClose}>{text('kit.close')}</Button>
        </>
      }
    >
      {!data && !error && <ListSkeleton phone />}
      {error && (
        <Alert
          severity="error"
          action={
            <Button color="inherit" size="small" onClick={() => void refetch()} sx={{ whiteSpace: 'nowrap' }}>
              {text('kit.retry')}
            </Button>
          }
        >
          {messageOf(error, text('kit.wentWrong'))}
        </Alert>
      )}
      {data && numbers.length === 0 && (
        <Alert
          severity="warning"
          action={
            <Button color="inherit" size="small" onClick={() => void refetch()} sx={{ whiteSpace: 'nowrap' }}>
              {text('kit.retry')}
            </Button>
          }
        >
          {text('calls.noNumbers')}
        </Alert>
      )}
      {data && <Details pin={pin} numbers={numbers} />}
    </DialogFrame>
  )
}
