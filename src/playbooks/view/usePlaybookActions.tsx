import { useNotify } from 'react-admin'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { incidentsAccess } from '#contract/incidents/access.ts'
import type { PlaybookExportType } from '#contract/playbook-exports/schema.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { PLAYBOOK_BIN_DAYS, type PlaybookTemplate } from '#contract/playbooks/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { UNDO_MS, UndoNotice } from '#src/kit/feedback/UndoNotice.tsx'
import { useText } from '#src/kit/useText.ts'

import {
  useArchivePlaybook,
  useCapacity,
  useRecoverPlaybook,
  useRemovePlaybook,
  useUnarchivePlaybook,
} from '../queries.ts'
import type { PlaybookDialog } from '../usePlaybookDialogs.tsx'
import type { PlaybookRoute } from '../usePlaybookRoute.ts'
import { ICONS } from './PlaybookToolbar.tsx'
import { usePlaybookExport } from './usePlaybookExport.ts'

/** Archives, deletes and brings back a playbook. Its toasts undo the act. */
function useLifecycle({ id, name }: PlaybookTemplate) {
  const text = useText()
  const notify = useNotify()
  const [archive, unarchive] = [useArchivePlaybook(), useUnarchivePlaybook()]
  const [remove, recover] = [useRemovePlaybook(), useRecoverPlaybook()]
  const attempt = async (act: () => Promise<unknown>, sentence: string, undo?: () => void) => {
    try {
      await act()
      if (undo)
        notify(<UndoNotice message={sentence} onUndo={undo} />, { type: 'info', autoHideDuration: UNDO_MS })
      else notify(sentence, { type: 'success' })
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    }
  }
  const bringBack = () =>
    void attempt(() => unarchive.mutateAsync(id), text('playbooks.unarchived', { name }))
  return {
    bringBack,
    archive: () =>
      void attempt(() => archive.mutateAsync(id), text('playbooks.archived', { name }), bringBack),
    /** @throws where the playbook cannot be deleted */
    remove: async () => {
      await remove.mutateAsync(id)
      const undo = () => void attempt(() => recover.mutateAsync(id), text('playbooks.recovered', { name }))
      notify(<UndoNotice message={text('playbooks.deleted', { name })} onUndo={undo} />, {
        type: 'success',
        autoHideDuration: UNDO_MS,
      })
    },
  }
}

/** A person's actions on a playbook, and the confirmation of its deletion. */
export function usePlaybookActions(
  playbook: PlaybookTemplate,
  route: PlaybookRoute,
  openDialog: (dialog: PlaybookDialog) => void,
) {
  const text = useText()
  const navigate = useNavigate()
  const can = useCan()
  const canWrite = can(playbooksAccess.write)
  const { isFull } = useCapacity()
  const [isAsked, setAsked] = useState(false)
  const { isExporting, exportAs } = usePlaybookExport(playbook.id)
  const { id, name, isPublished, archiveTimestamp } = playbook
  const lifecycle = useLifecycle(playbook)
  const isArchived = archiveTimestamp !== null
  const canChange = canWrite && !isArchived
  const when = <T,>(condition: boolean, ...actions: T[]): T[] => (condition ? actions : [])
  const main = [
    ...when(isPublished && !isArchived && can(incidentsAccess.write), {
      label: text('playbooks.start'),
      icon: ICONS.start,
      isFilled: true,
      act: () => void navigate(`/incidents/create?playbook=${id}`),
    }),
    ...when(canChange, { label: text('playbooks.edit'), icon: ICONS.edit, act: () => route.edit(id) }),
  ]
  const exportOf = (label: string, type: PlaybookExportType) => ({
    label,
    disabled: isExporting,
    act: () => exportAs(type),
  })
  const more = [
    ...when(canWrite, { label: text('playbooks.clone'), disabled: isFull, act: () => route.clone(id) }),
    ...when(canChange, {
      label: text('playbooks.changeCategory'),
      act: () => openDialog({ kind: 'changeCategory', playbook }),
    }),
    ...when(isPublished, {
      label: text('playbooks.versions'),
      act: () => openDialog({ kind: 'versions', playbook }),
    }),
    ...when(
      isPublished,
      exportOf(text('playbooks.exportPdf'), 'PDF'),
      exportOf(text('playbooks.exportDocx'), 'DOCX'),
      exportOf(text('playbooks.exportMarkdown'), 'MARKDOWN'),
      exportOf(text('playbooks.exportJson'), 'JSON'),
    ),
    ...when(canChange, { label: text('playbooks.archive'), act: lifecycle.archive }),
    ...when(canWrite, { label: text('playbooks.delete'), isDestructive: true, act: () => setAsked(true) }),
  ]
  const question = (
    <ConfirmDialog
      open={isAsked}
      title={text('playbooks.deleteTitle')}
      text={text('playbooks.deleteText', { name, days: PLAYBOOK_BIN_DAYS })}
      submitLabel={text('playbooks.delete')}
      destructive
      onSubmit={async () => {
        await lifecycle.remove()
        route.showList()
      }}
      onClose={() => setAsked(false)}
    />
  )
  return {
    main,
    more,
    isExporting,
    question,
    bringBack: canWrite && isArchived ? lifecycle.bringBack : undefined,
  }
}
