import { refreshMe } from './send.ts'
import { trustSession } from './session.ts'

/** Loads beside the first page, which needs none of its schemas. Where it does not load, the next start checks again. */
const checkOrganisation = () =>
  import('./organisation.ts').then(
    (module) => module.checkOrganisation(),
    () => undefined,
  )

/**
 * What a signed-in page checks at its start (foundation §4 "Readiness"): whether the service is where it was, and who
 * the person is by now. A page that gets no answer at all keeps its session and what it knew: the device may just be
 * away.
 */
export async function checkSession(): Promise<void> {
  await Promise.all([checkOrganisation(), refreshMe().catch(() => trustSession())])
}
