import '@testing-library/jest-dom/vitest'

import { cleanup, configure, getConfig } from '@testing-library/react'
import * as React from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'

import { freshBrowser, server } from './client.tsx'

const { getElementError } = getConfig()
/**
 * Prints the page only when the message is read, because a waiting query fails at each change of the page and
 * printing is slow.
 */
function lazyElementError(message: string | null, container: Element): Error {
  const error = new Error(message ?? '')
  error.name = 'TestingLibraryElementError'
  Error.captureStackTrace(error, lazyElementError)
  return Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => getElementError(message, container).message,
  })
}
// The first test of a file also waits for the application to load.
configure({ asyncUtilTimeout: 60_000, getElementError: lazyElementError })

/**
 * React's development build takes a stack trace of up to 10,000 elements a second for its warnings, and
 * counts them here. A full count saves a quarter of the processor time of a screen test.
 */
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: object
}
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} })

vi.setConfig({ testTimeout: 240_000 })

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
beforeEach(freshBrowser)
afterEach(() => {
  cleanup()
  server.resetHandlers()
  vi.useRealTimers()
})
afterAll(() => server.close())
