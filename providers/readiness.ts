import { refreshMe } from './send.ts'
import { trustSession } from './session.ts'

/**
 * Updates the organisation. A module of its own beside the first page, which needs none of its schemas; if it
 * fails to load, the next start checks again.
 */
export const checkOrganisation = () =>
  import('./organisation.ts').then(
    (module) => module.checkOrganisation(),
    () => undefined,
  )

/**
 * The checks of a signed-in page at its start (foundation §4 "Readiness"): the address of the service, and the person's
 * current state. Without any response the page keeps its session and data, because the device may be offline.
 */
export async function checkSession(): Promise<void> {
  await Promise.all([checkOrganisation(), refreshMe().catch(() => trustSession())])
}
