import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import axe from 'axe-core'
import { type ReactNode, useState } from 'react'
import { Outlet, RouterProvider } from 'react-router-dom'
import { expect, onTestFinished } from 'vitest'

import type { PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import type { ImportedActivity, ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import {
  NO_PROPOSAL,
  NO_START,
  type PlaybookActivity,
  type PlaybookSummary,
  type PlaybookTemplate,
} from '#contract/playbooks/schema.ts'
import { createAuthProvider } from '#providers/authProvider.ts'
import { loadMessages } from '#providers/i18nProvider.ts'
import { createApplication } from '#src/app/application.tsx'
import { Toasts } from '#src/kit/feedback/Toasts.tsx'
import { Themed } from '#src/kit/theme/Themed.tsx'

import { answer } from './client.tsx'

await loadMessages()

const AT = '2026-03-01T09:00:00.000Z'

export const aCategory = (name: string, changes: Partial<PlaybookCategory> = {}): PlaybookCategory => ({
  id: crypto.randomUUID(),
  name,
  categoryName: name,
  playbooksCount: 0,
  createTimestamp: AT,
  updateTimestamp: AT,
  version: 1,
  ...changes,
})
export function aSummary(name: string, changes: Partial<PlaybookSummary> = {}): PlaybookSummary {
  const id = changes.id ?? crypto.randomUUID()
  return {
    id,
    name,
    categoryId: null,
    description: '',
    attachmentsFolderId: id,
    activitiesCount: 2,
    tasksCount: 1,
    createdBy: 'ada@demo.example',
    createTimestamp: AT,
    updatedBy: 'ada@demo.example',
    updateTimestamp: AT,
    owner: null,
    reviewDate: null,
    sharedBy: null,
    version: 1,
    isPublished: true,
    draft: null,
    archiveTimestamp: null,
    lastUsedTimestamp: null,
    usesCount: 0,
    proposal: NO_PROPOSAL,
    ...changes,
  }
}
export const anItem = (title: string, changes: Partial<PlaybookActivity> = {}): PlaybookActivity => ({
  id: crypto.randomUUID(),
  type: 'TASK',
  title,
  description: 'Do it at once.',
  formattedDescription: null,
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  attachedFileIds: [],
  index: 0,
  ...changes,
})
export const aTemplate = (
  name: string,
  activities: readonly PlaybookActivity[],
  changes: Partial<PlaybookSummary> = {},
): PlaybookTemplate => ({
  ...aSummary(name, { activitiesCount: activities.length, ...changes }),
  activities: activities.map((item, index) => ({ ...item, index })),
  start: NO_START,
})

export const anImportedItem = (title: string, changes: Partial<ImportedActivity> = {}): ImportedActivity => ({
  type: 'TASK',
  title,
  formattedDescription: null,
  description: 'Do it at once.',
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  line: null,
  ...changes,
})
export const anImported = (name: string, changes: Partial<ImportedPlaybook> = {}): ImportedPlaybook => ({
  name,
  categoryName: null,
  description: '',
  activities: [
    anImportedItem('First hour', { type: 'HEADING', description: '' }),
    anImportedItem('Call the team'),
  ],
  notes: [],
  ...changes,
})

export const serveCategories = (...categories: readonly PlaybookCategory[]) =>
  answer('get', '/playbook/categories', [...categories])

interface DialogProps {
  open: boolean
  onClose: () => void
}
function Opener({ children }: { children: (props: DialogProps) => ReactNode }) {
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open again
      </button>
      {children({ open, onClose: () => setOpen(false) })}
    </>
  )
}

/** Opens a dialog without the page around it. */
export function openDialog(children: (props: DialogProps) => ReactNode) {
  history.replaceState(null, '', '/')
  const { router, queryClient } = createApplication({
    name: 'muster',
    apis: {},
    definitions: {},
    authProvider: createAuthProvider({}, () => Promise.resolve()),
    shell: (
      <>
        <Outlet />
        <Toasts />
      </>
    ),
    pages: [{ path: '*', element: <Opener>{children}</Opener> }],
  })
  onTestFinished(() => {
    router.dispose()
    queryClient.clear()
  })
  const user = userEvent.setup()
  render(
    <Themed>
      <RouterProvider router={router} />
    </Themed>,
  )
  return user
}

/** Checks the page with axe, except colours, which need a layout. */
export async function expectAccessible() {
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}
