import { createHmac } from 'node:crypto'

import { SignJWT } from 'jose'

import { type CallEngine, ENGINE_LIFE, type IceServer } from '#contract/calls/schema.ts'
import { isManager } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import type { Config } from '#contract/config/catalogue.ts'
import { fullName } from '#contract/kit/names.ts'
import { clock, SECOND } from '#server/kit/core/clock.ts'
import { listPeople } from '#server/chat/messages.store.ts'
import { openedRoom } from '#server/chat/rooms.flows.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import type { Jitsi } from '#server/kit/core/settings.ts'

import { findRoomOfCaller } from './store.ts'

/** Tolerance for clocks of other machines, in milliseconds. */
const LATE = 10 * SECOND
const inSeconds = (ms: number) => Math.floor(ms / SECOND)

export const engineKind = ({ settings }: Pick<Services, 'settings'>): CallEngine['kind'] =>
  settings.jitsi ? 'jitsi' : 'built-in'

type EngineServices = Pick<Services, 'settings' | 'publicUrl'>

/** The media engine of a call in a room, with the caller's credentials. */
export async function engineFor(
  services: EngineServices,
  db: OrgDb,
  by: Caller,
  room: Room,
): Promise<CallEngine> {
  const { jitsi } = services.settings
  if (!jitsi) return { kind: 'built-in', iceServers: iceServers(by.config, by.id) }
  const name = jitsiRoom(by.organisation.id, room.id)
  return {
    kind: 'jitsi',
    domain: jitsi.domain,
    room: name,
    token: await signed(services, jitsi, db, by, room),
  }
}

type Ways = Pick<Config, 'callStunServers' | 'callTurnServers' | 'callTurnSecret'>
/** STUN and TURN servers for a browser. Credentials expire, after coturn's shared-secret scheme. */
export function iceServers(config: Ways, userId: string): IceServer[] {
  const { callStunServers: stun, callTurnServers: turn, callTurnSecret: secret } = config
  const username = `${inSeconds(clock.now() + ENGINE_LIFE)}:${userId}`
  const credential = createHmac('sha1', secret).update(username).digest('base64')
  return [
    ...(stun.length > 0 ? [{ urls: [...stun] }] : []),
    // Browsers refuse TURN servers without credentials.
    ...(turn.length > 0 && secret !== '' ? [{ urls: [...turn], username, credential }] : []),
  ]
}

/** The Jitsi name of a room, unique across organisations even if room ids were equal. */
export const jitsiRoom = (organisationId: string, roomId: string): string =>
  `muster-${organisationId}-${roomId}`

/** A token for one room, for Jitsi's token authentication: its context accepts strings only. */
async function signed(
  { publicUrl }: EngineServices,
  { domain, appId, appSecret }: Jitsi,
  db: OrgDb,
  by: Caller,
  room: Room,
): Promise<string> {
  const [me] = await listPeople(db, [by.id])
  const user = {
    id: by.id,
    name: me ? fullName(me) : by.name,
    email: by.name,
    ...(me?.profileImageUrl && { avatar: new URL(me.profileImageUrl, publicUrl()).href }),
    moderator: String(isManager(room.membership.role)),
  }
  return new SignJWT({ room: jitsiRoom(by.organisation.id, room.id), context: { user } })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(appId)
    .setIssuer(appId)
    .setSubject(domain)
    .setNotBefore(inSeconds(clock.now() - LATE))
    .setExpirationTime(inSeconds(clock.now() + ENGINE_LIFE))
    .sign(new TextEncoder().encode(appSecret))
}

/**
 * A token for the current call of a room, or without a room for the caller's own call.
 * @throws Refusal 404 for somebody else's room, 409 without a call or a Jitsi
 */
export async function jitsiToken(
  services: EngineServices,
  db: OrgDb,
  by: Caller,
  requested: string | undefined,
): Promise<{ accessToken: string }> {
  const roomId = requested ?? (await findRoomOfCaller(db, by.id))
  demand(roomId !== undefined, 409, 'You are not in a call.')
  const room = await openedRoom(db, by, roomId)
  const { jitsi } = services.settings
  demand(jitsi !== null, 409, 'Calls are not carried by Jitsi here.')
  demand(room.callDetails !== null, 409, 'This room has no call.')
  return { accessToken: await signed(services, jitsi, db, by, room) }
}
