import { staffApi } from '#contract/staff/api.ts'
import { call } from '#providers/api.ts'
import { endSession } from '#providers/session.ts'

/** Ends the staff session in this browser, and on the server if it can be reached. */
export async function signOutOfConsole(): Promise<void> {
  await call(staffApi.logout).catch(() => undefined)
  endSession('left')
}
