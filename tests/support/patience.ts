import { vi } from 'vitest'

/** Milliseconds until a test gives up waiting, on a machine that is several times slower than usual. */
const PATIENCE = 60_000

const { waitFor, waitUntil } = vi
vi.waitFor = (callback, options = PATIENCE) => waitFor(callback, options)
vi.waitUntil = (callback, options = PATIENCE) => waitUntil(callback, options)
