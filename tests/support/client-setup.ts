import '@testing-library/jest-dom/vitest'

import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'

import { freshBrowser, server } from './client.tsx'

// The first test of a file also pays for loading the application.
configure({ asyncUtilTimeout: 30_000 })
vi.setConfig({ testTimeout: 90_000 })

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
beforeEach(freshBrowser)
afterEach(() => {
  cleanup()
  server.resetHandlers()
  vi.useRealTimers()
})
afterAll(() => server.close())
