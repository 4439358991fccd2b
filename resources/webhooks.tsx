import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Skeleton from '@mui/material/Skeleton'
import { Suspense } from 'react'

import { webhooksApi } from '#contract/webhooks/api.ts'
import { type IssuedWebhook, type Webhook, WEBHOOK_EVENTS } from '#contract/webhooks/schema.ts'
import { ownTexts } from '#providers/i18n/own-texts.ts'
import { webhookDetail } from '#providers/i18n/webhook-detail.ts'
import { webhooks as texts } from '#providers/i18n/webhooks.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { secretDialog } from '#src/kit/resource/secretDialog.tsx'
import { EventsInput } from '#src/webhooks/EventsInput.tsx'

const words = ownTexts(texts)

const WebhookDetail = lazy(async () => ({
  default: (await import('#src/webhooks/WebhookDetail.tsx')).WebhookDetail,
}))

const CopySecret = secretDialog(words, ({ secret }: IssuedWebhook) => secret)

const Detail = ({ record }: { record: Webhook }) => (
  <Suspense fallback={<Skeleton variant="rounded" height={240} />}>
    <WebhookDetail record={record} />
  </Suspense>
)

const WebhookInputs = ({ inputs: { BooleanInput, TextInput }, record }: InputsOf<typeof webhooksApi>) => (
  <>
    <TextInput source="name" label={words.name} help={words.nameHelp} required autoFocus={!record} />
    <TextInput source="url" label={words.url} help={words.urlHelp} required />
    <EventsInput />
    <BooleanInput source="isOn" label={words.on} />
  </>
)

/** Endpoints that receive signed events of incidents (decision 124). */
export const webhooks = defineResource({
  layout: 'side list',
  title: words.title,
  api: webhooksApi,
  line: ({ isOn, url }) => (isOn ? new URL(url).host : webhookDetail.off),
  detail: Detail,
  columns: [
    { field: 'name', label: words.name },
    { field: 'url', label: words.url },
    {
      field: 'isOn',
      label: words.on,
      text: ({ isOn }) => (isOn ? webhookDetail.on : webhookDetail.off),
    },
  ],
  sort: ['name', 'ASC'],
  search: words.search,
  empty: words.empty,
  failed: words.failed,
  inputs: WebhookInputs,
  create: {
    label: words.create,
    blank: { name: '', url: '', events: [...WEBHOOK_EVENTS], isOn: true },
    done: words.created,
    after: CopySecret,
  },
  edit: {
    label: words.edit,
    values: ({ name, url, events, isOn, version }) => ({ name, url, events, isOn, version }),
    done: words.saved,
  },
  actions: [
    {
      call: 'remove',
      label: words.remove,
      icon: DeleteRounded,
      destructive: true,
      confirm: { title: words.removeTitle, text: words.removeText },
      done: words.removed,
      failed: words.failed,
    },
  ],
})
