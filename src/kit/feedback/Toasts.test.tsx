import { act, fireEvent, render, screen } from '@testing-library/react'
import { CoreAdminContext, useNotify } from 'react-admin'
import { expect, test, vi } from 'vitest'

import { i18nProvider } from '#providers/i18nProvider.ts'
import { publishLimitReached } from '#providers/limits.ts'
import { HttpProblem } from '#providers/problem.ts'

import { Toasts } from './Toasts.tsx'

function Buttons() {
  const notify = useNotify()
  return (
    <>
      <button onClick={() => notify('Saved.', { type: 'success' })}>save</button>
      <button onClick={() => notify('Forever.', { autoHideDuration: null })}>stay</button>
    </>
  )
}
const show = () =>
  render(
    <CoreAdminContext i18nProvider={i18nProvider}>
      <Buttons />
      <Toasts />
    </CoreAdminContext>,
  )
/** Moves the mouse by a number of pixels; jsdom does not compute `movementX`. */
function moveOver(element: Element, by: number) {
  const move = new MouseEvent('mousemove', { bubbles: true })
  Object.defineProperties(move, { movementX: { value: by }, movementY: { value: 0 } })
  fireEvent(element, move)
}
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

test('is said to everybody and gone after three seconds', () => {
  vi.useFakeTimers()
  show()
  fireEvent.click(screen.getByText('save'))
  expect(screen.getByRole('status')).toHaveTextContent('Saved.')
  pass(2_900)
  expect(screen.getByText('Saved.')).toBeVisible()
  pass(200)
  expect(screen.queryByText('Saved.')).toBeNull()
})

test('stays while somebody looks at it, and goes when it is told to', () => {
  vi.useFakeTimers()
  show()
  fireEvent.click(screen.getByText('save'))
  const toast = screen.getByText('Saved.').parentElement!
  moveOver(toast, 4)
  pass(10_000)
  expect(screen.getByText('Saved.')).toBeVisible()
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('Saved.')).toBeNull()
})

test('goes although the mouse rests where it appeared', () => {
  vi.useFakeTimers()
  show()
  fireEvent.click(screen.getByText('save'))
  const toast = screen.getByText('Saved.').parentElement!
  fireEvent.mouseEnter(toast)
  moveOver(toast, 0)
  pass(3_100)
  expect(screen.queryByText('Saved.')).toBeNull()
})

test('each goes by itself', () => {
  vi.useFakeTimers()
  show()
  fireEvent.click(screen.getByText('stay'))
  fireEvent.click(screen.getByText('save'))
  pass(1_000)
  fireEvent.click(screen.getByText('save'))
  pass(2_100)
  expect(screen.getAllByText('Saved.')).toHaveLength(1)
  pass(60_000)
  expect(screen.queryByText('Saved.')).toBeNull()
  expect(screen.getByText('Forever.')).toBeVisible()
})

test('counts down once where a limit of calls was reached', () => {
  vi.useFakeTimers()
  show()
  const refused = new HttpProblem('There were too many searches.', 429, { msUntilNextAttempt: 90_000 })
  act(() => {
    publishLimitReached(refused)
    publishLimitReached(refused)
  })
  const toast = screen.getByText('There were too many searches.', { exact: false })
  expect(toast).toHaveTextContent('Please wait 1 minute and 30 seconds before attempting again.')
  pass(31_000)
  expect(toast).toHaveTextContent('Please wait 0 minutes and 59 seconds')
  pass(60_000)
  expect(screen.queryByText('There were too many searches.', { exact: false })).toBeNull()
})
