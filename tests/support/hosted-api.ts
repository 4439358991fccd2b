import { sql } from 'kysely'
import { expect, vi } from 'vitest'

import { mirrorOrganisation } from '#server/chat/hosted.flows.ts'

import { SERVICE_KEY, SERVICE_SECRET } from './hosted-chat.ts'
import type { Organisation, Staff, startTestServer } from './server.ts'

type TestServer = Awaited<ReturnType<typeof startTestServer>>

/** Creates an organisation with an account of the service in the console, and its administrator. */
export async function hostedOrganisation(staff: Staff): Promise<Organisation> {
  const name = `Hosted ${crypto.randomUUID()}`
  const { status, body } = await staff.post('/enterprise', {
    enterpriseName: name,
    enterpriseDomain: `${crypto.randomUUID()}.example`,
    adminFirstName: 'Ada',
    adminLastName: 'Lovelace',
    adminEmail: `${crypto.randomUUID()}@example.org`,
    subscriptionMaxUsers: 25,
    subscriptionLevel: 'BASIC',
    streamApiKey: SERVICE_KEY,
    streamSecret: SERVICE_SECRET,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return { id: body.id, code: body.enterprise.code }
}

/** Waits until the service has all committed changes. `isWrittenNow` does not wait for the next event or minute. */
export const mirrored = (
  muster: TestServer,
  organisation: Organisation,
  { isWrittenNow = false }: { isWrittenNow?: boolean } = {},
): Promise<void> =>
  vi.waitFor(async () => {
    if (isWrittenNow) await mirrorOrganisation(muster.services, organisation.id)
    const { rows } = await muster.inside(organisation, (db) =>
      sql`select mirrored_sequence = (select sequence from chat_heads) as "isDone",
        leased_until is null as "isFree" from chat_credentials`.execute(db),
    )
    expect(rows[0]).toMatchObject({ isDone: true, isFree: true })
  })
