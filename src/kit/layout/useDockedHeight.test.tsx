import { render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { measureDocked, useDockedHeight } from './useDockedHeight.ts'

const height = () => document.documentElement.style.getPropertyValue('--docked-height')
let place = { top: 0, bottom: 0 }

function Bar() {
  return <div ref={useDockedHeight()} />
}

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.stubGlobal('innerHeight', 900)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(() => place as DOMRect)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.each<[string, number, number, number, string]>([
  ['at the foot of a window', 1_440, 840, 900, '68px'],
  ['on the bar of a phone', 390, 784, 844, '68px'],
  ['where a short page ends near the foot', 390, 679, 745, '173px'],
  ['further up', 1_440, 600, 660, ''],
  ['below the window', 1_440, 950, 1_010, ''],
])('what stands at the bottom stays above a bar %s', (_, width, top, bottom, published) => {
  vi.stubGlobal('innerWidth', width)
  const { unmount } = render(<Bar />)
  place = { top, bottom }
  measureDocked()
  expect(height()).toBe(published)
  unmount()
  expect(height()).toBe('')
})
