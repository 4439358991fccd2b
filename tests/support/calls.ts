import { expect } from 'vitest'

import type { CallFrame, IncomingCall, JoinedCall, NewCall } from '#contract/calls/schema.ts'

import { ChatPage, openPage } from './chat.ts'
import type { Caller } from './server.ts'

/** Starts a call in a room, or joins its ongoing one. */
export async function startedCall(
  caller: Caller,
  roomId: string,
  given: Partial<NewCall> = {},
): Promise<JoinedCall> {
  const body = { roomId, participantId: crypto.randomUUID(), ...given }
  const answer = await caller.post('/calls', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
export async function joinedCall(
  caller: Caller,
  callId: string,
  participantId: string = crypto.randomUUID(),
): Promise<JoinedCall> {
  const answer = await caller.post(`/calls/${callId}/participants`, { participantId })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}

/** A person's page with its frames about calls. */
export class CallPage {
  readonly page: ChatPage
  constructor(page: ChatPage) {
    this.page = page
  }
  say(message: object): void {
    this.page.socket.send(JSON.stringify(message))
  }
  frames<Type extends CallFrame['type']>(type: Type): (CallFrame & { readonly type: Type })[] {
    return (this.page.frames as unknown as CallFrame[]).filter(
      (frame): frame is CallFrame & { readonly type: Type } => frame.type === type,
    )
  }
  /** The nth frame of a kind, from 1. */
  async frame<Type extends CallFrame['type']>(
    type: Type,
    n = 1,
  ): Promise<CallFrame & { readonly type: Type }> {
    await this.page.until(() => this.frames(type).length >= n)
    return this.frames(type)[n - 1]!
  }
  /** Requests all calls that ring. */
  async rings(): Promise<IncomingCall[]> {
    const before = this.frames('call-rings').length
    this.say({ type: 'call-rings' })
    return (await this.frame('call-rings', before + 1)).incoming
  }
  /** Sends a heartbeat. Returns true if the server knows the page. */
  async sign({ call, participantId }: JoinedCall): Promise<boolean> {
    const before = this.frames('call-here').length
    this.say({ type: 'call-here', callId: call.callId, participantId })
    return (await this.frame('call-here', before + 1)).isIn
  }
}

export const openCallPage = async (muster: { readonly url: string }, caller: Caller): Promise<CallPage> =>
  new CallPage(await openPage(muster, caller))
