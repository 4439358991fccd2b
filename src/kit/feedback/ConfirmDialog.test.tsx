import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { CoreAdminContext } from 'react-admin'
import { expect, test, vi } from 'vitest'

import { i18nProvider } from '#providers/i18nProvider.ts'
import { HttpProblem } from '#providers/problem.ts'

import { ConfirmDialog } from './ConfirmDialog.tsx'

function show(onSubmit: () => unknown, labels: { submitLabel?: string; cancelLabel?: string } = {}) {
  const onClose = vi.fn()
  render(
    <CoreAdminContext i18nProvider={i18nProvider}>
      <ConfirmDialog
        open
        title="Delete API Key?"
        text="Nightly import will be permanently deleted."
        onSubmit={onSubmit}
        onClose={onClose}
        {...labels}
      />
    </CoreAdminContext>,
  )
  return onClose
}

test('asks by name, acts, and closes', async () => {
  const act = vi.fn(() => Promise.resolve())
  const onClose = show(act)
  const dialog = screen.getByRole('dialog', { name: 'Delete API Key?' })
  expect(dialog).toHaveAccessibleDescription('Nightly import will be permanently deleted.')
  fireEvent.click(screen.getByRole('button', { name: 'Submit' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(act).toHaveBeenCalledOnce()
})

test('does nothing when cancelled, with words of its own', () => {
  const act = vi.fn()
  const onClose = show(act, { submitLabel: 'Delete', cancelLabel: 'Keep' })
  fireEvent.click(screen.getByRole('button', { name: 'Keep' }))
  expect(onClose).toHaveBeenCalledOnce()
  expect(act).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Delete' })).toBeVisible()
})

test.each([
  [
    new HttpProblem('The group is in use.', 400, { code: 'in_use', message: 'The group is in use.' }),
    'The group is in use.',
  ],
  [new HttpProblem('boom', 500, { code: 'unexpected', message: 'boom' }), 'Something went wrong.'],
  [new TypeError('surprise'), 'Something went wrong.'],
])('stays open and shows what went wrong: %s', async (problem: Error, words) => {
  const onClose = show(() => Promise.reject(problem))
  fireEvent.click(screen.getByRole('button', { name: 'Submit' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(words)
  expect(onClose).not.toHaveBeenCalled()
})
