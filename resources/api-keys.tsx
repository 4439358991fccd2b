import DeleteRounded from '@mui/icons-material/DeleteRounded'
import EventBusyRounded from '@mui/icons-material/EventBusyRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import Skeleton from '@mui/material/Skeleton'
import { Suspense } from 'react'

import { apiKeysApi } from '#contract/api-keys/api.ts'
import { isExpired } from '#contract/api-keys/rules.ts'
import { type ApiKey, EXPIRY_PASSED, IpAddress, type IssuedApiKey } from '#contract/api-keys/schema.ts'
import { serverNow } from '#providers/serverClock.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { MINUTE, useNow } from '#src/kit/time/clock.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { secretDialog } from '#src/kit/resource/secretDialog.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

const BarChart = lazy(async () => ({ default: (await import('#src/kit/layout/BarChart.tsx')).BarChart }))

function MaskedKey({ tail }: { tail: string }) {
  const text = useText()
  return (
    <span role="img" aria-label={text('apiKeys.keyEndsIn', { tail })}>
      ••••{tail}
    </span>
  )
}

/** Time before its expiry from which a key is marked. */
const SOON = 7 * 24 * 60 * MINUTE

/** A key's expiry, marked when it is past or near. */
function Expiry({ apiKey }: { apiKey: ApiKey }) {
  const text = useText()
  const now = useNow(MINUTE)
  const { expiresTimestamp: at } = apiKey
  if (at === null) return <span className="cell-nothing">{text('apiKeys.never')}</span>
  if (isExpired(apiKey, now))
    return <StatusChip label={text('apiKeys.expired')} icon={EventBusyRounded} tone="error" />
  if (!isExpired(apiKey, now + SOON)) return <Time at={at} />
  return (
    <StatusChip
      label={text('apiKeys.daysLeft', {
        smart_count: Math.ceil((Date.parse(at) - now) / (24 * 60 * MINUTE)),
      })}
      icon={ScheduleRounded}
      tone="warning"
    />
  )
}

function UsageMetrics({ rows }: { rows: readonly ApiKey[] }) {
  const text = useText()
  if (rows.length === 0) return null
  return (
    <Suspense fallback={<Skeleton variant="rounded" height={312} />}>
      <BarChart
        title={text('apiKeys.usage')}
        text={text('apiKeys.usageText')}
        names={text('apiKeys.name')}
        values={text('apiKeys.requests')}
        bars={rows.map(({ id, name, numberOfRequestsMade }) => ({ id, name, value: numberOfRequestsMade }))}
      />
    </Suspense>
  )
}

const CopyApiKey = secretDialog(
  { copyTitle: 'apiKeys.copyTitle', copyText: 'apiKeys.copyText', copyLabel: 'apiKeys.copyLabel' },
  ({ key }: IssuedApiKey) => key,
)

const inFuture = (value: unknown) =>
  typeof value === 'string' && isExpired({ expiresTimestamp: value }, serverNow()) ? EXPIRY_PASSED : undefined

const ApiKeyInputs = ({
  inputs: { TextInput, BooleanInput, ListInput, MomentInput, When },
}: InputsOf<typeof apiKeysApi>) => (
  <>
    <TextInput source="name" label="apiKeys.name" help="apiKeys.nameHelp" required autoFocus />
    <BooleanInput source="ipAddressRestricted" label="apiKeys.restrict" help="apiKeys.restrictHelp" />
    <When source="ipAddressRestricted">
      <ListInput
        source="allowedIpAddresses"
        label="apiKeys.allowed"
        entry={IpAddress}
        entryLabel="apiKeys.address"
        entryHelp="apiKeys.addressHelp"
        empty="apiKeys.noAddresses"
      />
    </When>
    <MomentInput
      source="expiresTimestamp"
      label="apiKeys.expires"
      help="apiKeys.expiresHelp"
      rule={inFuture}
    />
    <BooleanInput source="mayImportUsers" label="apiKeys.importsUsers" help="apiKeys.importsUsersHelp" />
  </>
)

/** API keys (administration §2.1). */
export const apiKeys = defineResource({
  title: 'apiKeys.title',
  api: apiKeysApi,
  columns: [
    { field: 'name', label: 'apiKeys.name', flex: 2, minWidth: 160 },
    {
      field: 'visibleKeyPart',
      label: 'apiKeys.key',
      width: 104,
      card: 'line',
      render: (key) => <MaskedKey tail={key.visibleKeyPart} />,
    },
    {
      field: 'allowedIpAddresses',
      label: 'apiKeys.addresses',
      flex: 2,
      minWidth: 190,
      sortable: false,
      card: 'line',
      text: (key, text) =>
        key.ipAddressRestricted ? key.allowedIpAddresses.join(', ') : text('apiKeys.any'),
    },
    { field: 'numberOfRequestsMade', label: 'apiKeys.requests', kind: 'number', width: 104, card: 'line' },
    {
      field: 'lastUsedTimestamp',
      label: 'apiKeys.lastUsed',
      kind: 'time',
      width: 172,
      yields: 2,
      card: 'line',
    },
    {
      field: 'expiresTimestamp',
      label: 'apiKeys.expires',
      width: 172,
      card: 'line',
      text: (key, text) => key.expiresTimestamp ?? text('apiKeys.never'),
      render: (key) => <Expiry apiKey={key} />,
    },
    {
      field: 'mayImportUsers',
      label: 'apiKeys.importsUsers',
      width: 148,
      sortable: false,
      yields: 1,
      card: 'line',
      text: (key, text) => text(key.mayImportUsers ? 'apiKeys.yes' : 'apiKeys.no'),
    },
    {
      field: 'createTimestamp',
      label: 'apiKeys.createdAt',
      kind: 'time',
      width: 172,
      yields: 1,
      card: 'line',
    },
  ],
  sort: ['createTimestamp', 'DESC'],
  faded: (key) => isExpired(key, serverNow()),
  search: 'apiKeys.filter',
  empty: 'apiKeys.empty',
  failed: 'apiKeys.failed',
  refreshEvery: 5 * MINUTE,
  below: UsageMetrics,
  inputs: ApiKeyInputs,
  create: {
    label: 'apiKeys.create',
    blank: {
      name: '',
      ipAddressRestricted: false,
      allowedIpAddresses: [],
      expiresTimestamp: null,
      mayImportUsers: false,
    },
    done: 'apiKeys.created',
    after: CopyApiKey,
  },
  actions: [
    {
      call: 'remove',
      label: 'apiKeys.remove',
      icon: DeleteRounded,
      destructive: true,
      confirm: { title: 'apiKeys.removeTitle', text: 'apiKeys.removeText' },
      done: 'apiKeys.removed',
      failed: 'apiKeys.failed',
    },
  ],
})
