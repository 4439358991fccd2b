import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { Suspense } from 'react'

import { incidentKindsApi } from '#contract/incident-kinds/api.ts'
import { incidentKinds } from '#providers/i18n/incident-kinds.ts'
import { ownTexts } from '#providers/i18n/own-texts.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { KindIcon } from '#src/incidents/kinds/KindIcon.tsx'

const words = ownTexts(incidentKinds)
const KindInputs = lazy(async () => ({
  default: (await import('#src/incidents/kinds/KindInputs.tsx')).KindInputs,
}))
const Inputs = (props: InputsOf<typeof incidentKindsApi>) => (
  <Suspense fallback={<Skeleton variant="rounded" height={320} />}>
    <KindInputs {...props} />
  </Suspense>
)

/** Kinds of incidents (decision 121). */
export const kinds = defineResource({
  title: words.kindsTitle,
  api: incidentKindsApi,
  columns: [
    {
      field: 'name',
      label: words.name,
      flex: 1,
      minWidth: 160,
      render: ({ icon, name }) => (
        <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
          <KindIcon name={icon} />
          {name}
        </Box>
      ),
    },
    {
      field: 'severity',
      label: words.severity,
      width: 160,
      sortable: false,
      card: 'line',
      text: ({ severity }, text) => (severity ? text(`incidents.severities.${severity}`) : ''),
    },
    {
      field: 'playbookName',
      label: words.playbook,
      flex: 1,
      minWidth: 160,
      sortable: false,
      card: 'line',
      text: ({ playbookName, isPlaybookUsable }, text) =>
        playbookName && !isPlaybookUsable
          ? text(words.playbookGone, { name: playbookName })
          : (playbookName ?? ''),
    },
    {
      field: 'isRetired',
      label: words.retired,
      width: 112,
      sortable: false,
      card: 'line',
      text: ({ isRetired }, text) => (isRetired ? text(words.retired) : ''),
    },
    { field: 'usedCount', label: words.used, kind: 'number', width: 112, sortable: false, card: 'line' },
  ],
  sort: ['name', 'ASC'],
  faded: ({ isRetired }) => isRetired,
  search: words.searchKinds,
  empty: words.emptyKinds,
  failed: words.failed,
  inputs: Inputs,
  create: {
    label: words.createKind,
    blank: { name: '', icon: 'ALERT', severity: null, playbookId: null, roleIds: [], isRetired: false },
    done: words.kindSaved,
  },
  edit: {
    label: words.editKind,
    values: ({ name, icon, severity, playbookId, roleIds, isRetired, version }) => ({
      name,
      icon,
      severity,
      playbookId,
      roleIds,
      isRetired,
      version,
    }),
    done: words.kindSaved,
  },
  actions: [
    {
      call: 'remove',
      label: words.remove,
      icon: DeleteRounded,
      destructive: true,
      confirm: { title: words.removeKindTitle, text: words.removeKindText },
      done: words.removed,
      failed: words.failed,
    },
  ],
})
