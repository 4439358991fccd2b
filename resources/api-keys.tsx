import DeleteRounded from '@mui/icons-material/DeleteRounded'
import KeyRounded from '@mui/icons-material/KeyRounded'
import Skeleton from '@mui/material/Skeleton'
import { lazy, Suspense } from 'react'

import { apiKeysApi } from '#contract/api-keys/api.ts'
import { type ApiKey, IpAddress, type IssuedApiKey } from '#contract/api-keys/schema.ts'
import { MINUTE } from '#src/kit/clock.ts'
import { defineResource } from '#src/kit/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource.ts'
import { useText } from '#src/kit/useText.ts'

const BarChart = lazy(async () => ({ default: (await import('#src/kit/BarChart.tsx')).BarChart }))
const CopyDialog = lazy(async () => ({ default: (await import('#src/kit/CopyDialog.tsx')).CopyDialog }))

function MaskedKey({ tail }: { tail: string }) {
  const text = useText()
  return (
    <span role="img" aria-label={text('apiKeys.keyEndsIn', { tail })}>
      ••••{tail}
    </span>
  )
}

function UsageMetrics({ rows }: { rows: readonly ApiKey[] }) {
  const text = useText()
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

function CopyApiKey({ created, onClose }: { created: IssuedApiKey; onClose: () => void }) {
  const text = useText()
  return (
    <CopyDialog
      title={text('apiKeys.copyTitle')}
      text={text('apiKeys.copyText', { name: created.name })}
      label={text('apiKeys.copyLabel')}
      value={created.key}
      onClose={onClose}
    />
  )
}

const ApiKeyInputs = ({
  inputs: { TextInput, BooleanInput, ListInput, When },
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
  </>
)

/** API keys (administration §2.1). */
export const apiKeys = defineResource({
  name: 'settings/api-keys',
  title: 'apiKeys.title',
  icon: KeyRounded,
  api: apiKeysApi,
  nameOf: (key) => key.name,
  columns: [
    { field: 'name', label: 'apiKeys.name', flex: 2, minWidth: 160 },
    {
      field: 'visibleKeyPart',
      label: 'apiKeys.key',
      width: 120,
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
    { field: 'numberOfRequestsMade', label: 'apiKeys.requests', kind: 'number', width: 120, card: 'line' },
    {
      field: 'createTimestamp',
      label: 'apiKeys.createdAt',
      kind: 'time',
      width: 200,
      yields: 1,
      card: 'line',
    },
  ],
  sort: ['createTimestamp', 'DESC'],
  search: 'apiKeys.filter',
  empty: 'apiKeys.empty',
  failed: 'apiKeys.failed',
  refreshEvery: 5 * MINUTE,
  below: UsageMetrics,
  inputs: ApiKeyInputs,
  create: {
    label: 'apiKeys.create',
    blank: { name: '', ipAddressRestricted: false, allowedIpAddresses: [] },
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
