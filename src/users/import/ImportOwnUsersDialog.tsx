import type { ComponentProps } from 'react'

import { userColumns } from '#src/import-columns/columnMemory.ts'

import { ImportUsersDialog } from './ImportUsersDialog.tsx'

/** Imports users of the caller's organisation, which remembers the columns of its files. */
export const ImportOwnUsersDialog = (props: Omit<ComponentProps<typeof ImportUsersDialog>, 'memory'>) => (
  <ImportUsersDialog {...props} memory={userColumns} />
)
