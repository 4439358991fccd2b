import type { Room } from '#contract/chat/schema.ts'
import { MEMBERS_AT_ONCE } from '#contract/chat/schema.ts'
import { readSecret } from '#server/kit/security/secrets.ts'
import { makeTokens } from '#server/kit/security/tokens.ts'
import type { Client } from 'pg'

import { inside, type Organisation, type Person } from './fixture.ts'
import { requestJson } from './measure.ts'

/** A person with a session and a single-use ticket for the live socket. */
export interface SignedIn extends Person {
  readonly ticket: string
}

/**
 * Signs in the first `count` people of an organisation without the cost of their passwords: inserts the sessions and
 * signs tokens with the installation's secret.
 */
export async function signInMany(
  client: Client,
  organisation: Organisation,
  secretKey: string,
  count: number,
): Promise<SignedIn[]> {
  const rows = await inside(client, organisation, async () => {
    const { rows } = await client.query<{ id: string; email: string; session: string }>(
      `with people as (
         select id, email, gen_random_uuid() as session from users
         where active and type = 'INTERNAL' order by email limit $1
       ), begun as (
         insert into sessions (organisation_id, id, user_id, user_agent, address, create_timestamp)
         select $2, session, id, 'bench', '127.0.0.1', now() from people
       )
       select * from people`,
      [count, organisation.id],
    )
    return rows
  })
  if (rows.length < count) throw new Error(`There are only ${rows.length} people instead of ${count}.`)
  const secret = await readSecret(secretKey, '')
  const tokens = makeTokens(secret!)
  return Promise.all(
    rows.map(async ({ id, email, session }) => {
      const claims = { userId: id, organisationId: organisation.id, sessionId: session }
      const [{ token }, { ticket }] = await Promise.all([
        tokens.issueAccess(claims),
        tokens.issueTicket(claims),
      ])
      const headers = { Authorization: `Bearer ${token}`, 'Enterprise-Code': organisation.code }
      return { id, email, headers, ticket }
    }),
  )
}

/** Creates a room with these members over the API. Returns its id. */
export async function makeRoom(url: string, owner: Person, members: readonly Person[]): Promise<string> {
  const { headers } = owner
  const name = `Room ${crypto.randomUUID()}`
  const made = { kind: 'WAR_ROOM', name, userIds: [] }
  const rooms = `${url}/api/chat/rooms`
  const { id } = await requestJson<Room>({
    method: 'POST',
    url: rooms,
    headers,
    body: () => JSON.stringify(made),
  })
  for (let from = 0; from < members.length; from += MEMBERS_AT_ONCE) {
    const userIds = members.slice(from, from + MEMBERS_AT_ONCE).map((member) => member.id)
    const body = () => JSON.stringify({ userIds })
    await requestJson({ method: 'POST', url: `${rooms}/${id}/members`, headers, body })
  }
  return id
}
