import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Skeleton from '@mui/material/Skeleton'
import { Suspense } from 'react'

import { declarationsApi } from '#contract/declarations/api.ts'
import { type DeclarationSource, type IssuedSource, SOURCE_FORMS } from '#contract/declarations/schema.ts'
import { SEVERITIES } from '#contract/incidents/schema.ts'
import { declarationDetail } from '#providers/i18n/declaration-detail.ts'
import { declarations as texts } from '#providers/i18n/declarations.ts'
import { ownTexts } from '#providers/i18n/own-texts.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { secretDialog } from '#src/kit/resource/secretDialog.tsx'
import { useText } from '#src/kit/useText.ts'

const words = ownTexts(texts)

const SourceDetail = lazy(async () => ({
  default: (await import('#src/declarations/SourceDetail.tsx')).SourceDetail,
}))

const CopySecret = secretDialog(words, ({ secret }: IssuedSource) => secret)

const Detail = ({ record }: { record: DeclarationSource }) => (
  <Suspense fallback={<Skeleton variant="rounded" height={240} />}>
    <SourceDetail record={record} />
  </Suspense>
)

const FORMS = SOURCE_FORMS.map((form) => ({ value: form, label: declarationDetail.forms[form] }))

function SourceInputs({
  inputs: { BooleanInput, SelectInput, TextInput },
  record,
}: InputsOf<typeof declarationsApi>) {
  const text = useText()
  const severities = SEVERITIES.map((severity) => ({
    value: severity,
    label: text(`incidents.severities.${severity}`),
  }))
  return (
    <>
      <TextInput source="name" label={words.name} help={words.nameHelp} required autoFocus={!record} />
      {/* The form of a source stays. */}
      {!record && <SelectInput source="form" label={words.form} choices={FORMS} required />}
      <BooleanInput source="isTabletop" label={words.exercise} help={words.exerciseHelp} />
      <TextInput source="criticalWords" label={words.critical} help={words.wordsHelp} />
      <TextInput source="highWords" label={words.high} />
      <TextInput source="mediumWords" label={words.medium} />
      <TextInput source="lowWords" label={words.low} />
      <SelectInput source="defaultSeverity" label={words.otherwise} choices={severities} />
    </>
  )
}

/** Sources that declare incidents by signed webhooks (decision 119). */
export const declarations = defineResource({
  layout: 'side list',
  title: words.title,
  api: declarationsApi,
  line: ({ form }) => declarationDetail.forms[form],
  detail: Detail,
  columns: [
    { field: 'name', label: words.name },
    { field: 'form', label: words.form, text: ({ form }) => declarationDetail.forms[form] },
    { field: 'criticalWords', label: words.critical },
    { field: 'highWords', label: words.high },
    { field: 'mediumWords', label: words.medium },
    { field: 'lowWords', label: words.low },
  ],
  sort: ['name', 'ASC'],
  search: words.search,
  empty: words.empty,
  failed: words.failed,
  inputs: SourceInputs,
  create: {
    label: words.create,
    blank: {
      name: '',
      form: 'ALERTMANAGER',
      isTabletop: false,
      criticalWords: 'critical',
      highWords: 'high, error',
      mediumWords: 'warning',
      lowWords: 'info',
      defaultSeverity: 'MEDIUM',
    },
    done: words.created,
    after: CopySecret,
  },
  edit: {
    label: words.edit,
    values: ({
      id: _id,
      addressId: _address,
      createTimestamp: _created,
      updateTimestamp: _updated,
      ...values
    }) => values,
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
