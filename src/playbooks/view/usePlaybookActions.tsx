import { useNotify } from 'react-admin'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { incidentsAccess } from '#contract/incidents/access.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import type { PlaybookTemplate } from '#contract/playbooks/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useCapacity, useRemovePlaybook } from '../queries.ts'
import type { PlaybookDialog } from '../usePlaybookDialogs.tsx'
import type { PlaybookRoute } from '../usePlaybookRoute.ts'
import { ICONS } from './PlaybookToolbar.tsx'
import { usePlaybookExport } from './usePlaybookExport.ts'

/** A person's actions on a playbook, and the confirmation of its deletion. */
export function usePlaybookActions(
  playbook: PlaybookTemplate,
  route: PlaybookRoute,
  openDialog: (dialog: PlaybookDialog) => void,
) {
  const text = useText()
  const notify = useNotify()
  const navigate = useNavigate()
  const can = useCan()
  const canWrite = can(playbooksAccess.write)
  const { isFull } = useCapacity()
  const remove = useRemovePlaybook()
  const [isAsked, setAsked] = useState(false)
  const { isExporting, exportAs } = usePlaybookExport(playbook.id)
  const { id, name } = playbook
  const exports = { icon: ICONS.download, disabled: isExporting }
  const main = [
    ...(canWrite
      ? [
          { label: text('playbooks.edit'), icon: ICONS.edit, act: () => route.edit(id) },
          { label: text('playbooks.clone'), icon: ICONS.clone, disabled: isFull, act: () => route.clone(id) },
          {
            label: text('playbooks.changeCategory'),
            icon: ICONS.move,
            act: () => openDialog({ kind: 'changeCategory', playbook }),
          },
        ]
      : []),
    { label: text('playbooks.exportPdf'), ...exports, act: () => exportAs('PDF') },
    { label: text('playbooks.exportDocx'), ...exports, act: () => exportAs('DOCX') },
    ...(canWrite
      ? [
          {
            label: text('playbooks.delete'),
            icon: ICONS.delete,
            isDestructive: true,
            act: () => setAsked(true),
          },
        ]
      : []),
  ]
  const more = [
    { label: text('playbooks.versions'), act: () => openDialog({ kind: 'versions', playbook }) },
    { label: text('playbooks.exportMarkdown'), disabled: isExporting, act: () => exportAs('MARKDOWN') },
    { label: text('playbooks.exportJson'), disabled: isExporting, act: () => exportAs('JSON') },
    ...(can(incidentsAccess.write)
      ? [
          {
            label: text('playbooks.declareIncident'),
            act: () => void navigate(`/incidents/create?playbook=${id}`),
          },
        ]
      : []),
  ]
  const question = (
    <ConfirmDialog
      open={isAsked}
      title={text('playbooks.deleteTitle')}
      text={text('playbooks.deleteText', { name })}
      submitLabel={text('playbooks.delete')}
      destructive
      onSubmit={async () => {
        await remove.mutateAsync(id)
        notify(text('playbooks.deleted', { name }), { type: 'success' })
        route.showList()
      }}
      onClose={() => setAsked(false)}
    />
  )
  return { main, more, isExporting, question }
}
