import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { Countdown, countdownText } from './Countdown.tsx'

const WAIT = 'Please wait %m minute%mp and %s second%sp before trying to submit again.'

test.each([
  [0, 'Please wait 0 minutes and 0 seconds before trying to submit again.'],
  [1, 'Please wait 0 minutes and 1 second before trying to submit again.'],
  [0.2, 'Please wait 0 minutes and 1 second before trying to submit again.'],
  [59, 'Please wait 0 minutes and 59 seconds before trying to submit again.'],
  [60, 'Please wait 1 minute and 0 seconds before trying to submit again.'],
  [61, 'Please wait 1 minute and 1 second before trying to submit again.'],
  [900, 'Please wait 15 minutes and 0 seconds before trying to submit again.'],
  [3_725, 'Please wait 62 minutes and 5 seconds before trying to submit again.'],
  [-3, 'Please wait 0 minutes and 0 seconds before trying to submit again.'],
])('%f seconds read %s', (seconds, text) => {
  expect(countdownText(WAIT, seconds)).toBe(text)
})

test.each([
  [5, 'in 0:05'],
  [65, 'in 1:05'],
  [600, 'in 10:00'],
])('%i seconds read %s on a clock', (seconds, text) => {
  expect(countdownText('in %t', seconds)).toBe(text)
})

test('counts every second down to zero, quietly, and stops there', () => {
  vi.useFakeTimers()
  render(<Countdown until={Date.now() + 2_300} text="%s left" />)
  const timer = screen.getByRole('timer')
  expect(timer).toHaveAttribute('aria-live', 'off')
  const seen = [timer.textContent]
  for (let step = 0; step < 40; step++) {
    act(() => void vi.advanceTimersByTime(100))
    if (seen.at(-1) !== timer.textContent) seen.push(timer.textContent)
  }
  expect(seen).toEqual(['3 left', '2 left', '1 left', '0 left'])
  expect(vi.getTimerCount()).toBe(0)
})
