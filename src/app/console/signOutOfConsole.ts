import { staffApi } from '#contract/staff/api.ts'
import { call } from '#providers/api.ts'
import { endSession } from '#providers/session.ts'

/** Ends the session of staff on the server as far as it can be reached, and here in any case. */
export async function signOutOfConsole(): Promise<void> {
  await call(staffApi.logout).catch(() => undefined)
  endSession('left')
}
