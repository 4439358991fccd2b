import { vi } from 'vitest'

/** Timeout of waiting in milliseconds, for a machine several times slower than usual. */
const PATIENCE = 60_000

const { waitFor, waitUntil } = vi
type Options = Parameters<typeof waitFor>[1]
const patient = (options: Options): Options =>
  typeof options === 'number' ? options : { timeout: PATIENCE, ...options }
vi.waitFor = (callback, options) => waitFor(callback, patient(options))
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))
