import type { ComponentProps } from 'react'

import { userColumns } from '#src/import-columns/columnMemory.ts'
import { ImportDone } from '#src/imports/ImportDone.tsx'

import { ImportUsersDialog } from './ImportUsersDialog.tsx'

interface Props extends Omit<ComponentProps<typeof ImportUsersDialog>, 'memory' | 'renderDone'> {
  onUndone: () => void
}

/** Imports users of the caller's organisation, which remembers the columns of its files and keeps reports. */
export const ImportOwnUsersDialog = ({ onUndone, ...props }: Props) => (
  <ImportUsersDialog
    {...props}
    memory={userColumns}
    renderDone={(importId) => <ImportDone kind="USERS" importId={importId} onUndone={onUndone} />}
  />
)
