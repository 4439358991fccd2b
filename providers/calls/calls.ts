import { callsApi } from '#contract/calls/api.ts'
import type { CallEngine, CallFrame, IncomingCall, JoinedCall, Ringing } from '#contract/calls/schema.ts'

import { call } from '../api.ts'
import { chat } from '../chat/chat.ts'
import { live } from '../live.ts'
import { HttpProblem } from '../problem.ts'
import { serverNow } from '../serverClock.ts'
import { getSession } from '../session.ts'
import { tabStorage } from '../storage.ts'
import { ActiveCall, type CallEnd } from './activeCall.ts'
import { callChoices, keepCallChoices } from './choices.ts'
import type { CallStatus, Devices, EngineState, RunningCall } from './engine.ts'
import { type CallElsewhere, OtherTabs } from './otherTabs.ts'
import { isCallSupported, UNSUPPORTED } from './support.ts'

/** Size of the call's window. */
export type CallView = 'docked' | 'side' | 'full' | 'minimised'

/** The call of this page. */
export interface MyCall {
  readonly callId: string
  readonly roomId: string
  readonly messageId: string
  readonly title: string
  /** Nine digits, also the PIN for joining by telephone. */
  readonly meetingId: string
  readonly participantId: string
  readonly startedAt: string
  readonly status: CallStatus
  readonly engineKind: CallEngine['kind']
  readonly view: CallView
  readonly state: EngineState
  /** Null while the engine loads. */
  readonly running: RunningCall | null
}
/**
 * A call to confirm. `start` and `join`: the person would leave another call, in this tab or another; `move`:
 * the call would move here from another tab.
 */
export interface WantedCall {
  readonly kind: 'start' | 'join' | 'move'
  /** Title of the call that would be left. */
  readonly title: string
  confirm(): void
  cancel(): void
}
/** A call that this page was in a moment ago. */
export interface EndedCall {
  readonly callId: string
  readonly roomId: string
  readonly title: string
  /**
   * `left`: by this person; `over`: for everybody, or the person has lost access; `failed`: the call could not start.
   */
  readonly why: 'left' | 'over' | 'failed'
}
interface Rejoin {
  readonly title: string
  /** Why this page lost the call. */
  readonly why: 'offline' | 'reload'
  join(): void
  dismiss(): void
}

/** Storage key of the tab's call, for a reload. */
const STORED = 'muster.call'
/** Window width in CSS pixels from which page and call fit side by side. */
const ROOM_BESIDE = 1_200
const NO_RINGS: readonly IncomingCall[] = []

/** The calls of this page. Screens read it with the hooks of `useCalls.ts`. */
export class Calls {
  #active: ActiveCall | null = null
  #mine: MyCall | null = null
  #view: CallView = 'docked'
  #shownView: Exclude<CallView, 'minimised'> = 'docked'
  #isEntering = false
  #wanted: WantedCall | null = null
  #rejoin: Rejoin | null = null
  #unwatchRejoin = () => {}
  #ended: EndedCall | null = null
  /** A call that this page lost and that may still be going on. */
  #lost: (CallElsewhere & Pick<Rejoin, 'why'>) | null = null
  #incoming: readonly IncomingCall[] = NO_RINGS
  #ringTimers = new Map<string, number>()
  readonly #watchers = new Set<() => void>()
  readonly #tabs = new OtherTabs({
    mine: () => this.#mine && placeOf(this.#mine),
    leave: () => void this.#leaveHere('left'),
    changed: () => this.#emit(),
  })

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
  readonly mine = (): MyCall | null => this.#mine
  readonly elsewhere = (): CallElsewhere | null => this.#tabs.current()
  readonly wanted = (): WantedCall | null => this.#wanted
  readonly rejoin = (): Rejoin | null => this.#rejoin
  readonly ended = (): EndedCall | null => this.#ended
  /** The calls that ring for this person, newest first. */
  readonly incoming = (): readonly IncomingCall[] => this.#incoming

  /** Subscribes to calls. Returns a function that unsubscribes. */
  follow(): () => void {
    const offline = () => this.#wentOffline()
    const online = () => void this.#lookForLost()
    const hidden = () => this.#closing()
    window.addEventListener('offline', offline)
    window.addEventListener('online', online)
    window.addEventListener('pagehide', hidden)
    const stops = [
      this.#tabs.start(),
      live.listenToCalls((frame) => this.#hear(frame)),
      live.watch(() => this.#connected()),
    ]
    const before = reloaded.read()
    this.#lost = before && { ...before, why: 'reload' }
    this.#connected()
    return () => {
      window.removeEventListener('offline', offline)
      window.removeEventListener('online', online)
      window.removeEventListener('pagehide', hidden)
      void this.#leaveHere('left')
      for (const stop of stops) stop()
      this.#forget()
    }
  }

  /**
   * Starts a call in a room, or joins its ongoing one. Requires a confirmation while this person is in
   * another call: see `wanted`.
   * @throws HttpProblem for a refusal or an unsupported browser
   */
  async start(roomId: string, ringing: Ringing = { who: 'NOBODY' }): Promise<void> {
    await this.#enter('start', roomId, (participantId) =>
      call(callsApi.start, { body: { roomId, participantId, ringing } }),
    )
  }
  /**
   * Starts or joins the call in an incident's breakout room, which is created if missing, and rings its targets
   * unless `ringing` says otherwise.
   * Requires a confirmation while this person is in another call.
   * @throws HttpProblem for a refusal or an unsupported browser
   */
  async startInIncident(id: string, roomId: string | null, ringing?: Ringing): Promise<void> {
    const isIn = roomId !== null && this.#mine?.roomId === roomId
    if (isIn && ringing?.who !== 'NOBODY') await this.ring(ringing ?? { who: 'INCIDENT' })
    await this.#enter('start', roomId, (participantId) =>
      call(callsApi.startInIncident, {
        params: { id },
        body: { participantId, ...(ringing && { ringing }) },
      }),
    )
  }
  /**
   * Joins an ongoing call. Requires a confirmation while this person is in another call.
   * @throws HttpProblem for a refusal or an unsupported browser
   */
  async join({ callId, roomId }: { readonly callId: string; readonly roomId: string }): Promise<void> {
    await this.#enter('join', roomId, (participantId) =>
      call(callsApi.join, { params: { id: callId }, body: { participantId } }),
    )
  }
  /** Leaves the call of this tab, or that of another tab. */
  async leave(): Promise<void> {
    if (this.#active) await this.#leaveHere('left')
    else await this.#tabs.leave()
  }
  /** Ends a call for everybody. Only managers of the room may do so. */
  async end(callId: string): Promise<void> {
    await call(callsApi.end, { params: { id: callId } })
    if (this.#mine?.callId === callId) this.#close('over')
  }
  /** Rings members who are not in this page's call. Returns the number of people rung. */
  async ring(ringing: Ringing): Promise<number> {
    if (!this.#mine) return 0
    return (await call(callsApi.ring, { params: { id: this.#mine.callId }, body: ringing })).rung
  }
  /** Declines an incoming call on all pages of this person. */
  async decline(callId: string): Promise<void> {
    this.#stopRinging(callId)
    await call(callsApi.decline, { params: { id: callId } })
  }

  show(view: CallView): void {
    this.#view = view
    if (view !== 'minimised') {
      this.#shownView = view
      keepCallChoices({ view })
    }
    this.#changed()
  }
  /** Minimises the window, or restores its size. */
  toggleWindow(): void {
    this.show(this.#view === 'minimised' ? this.#shownView : 'minimised')
  }
  async setAudio(isOn: boolean): Promise<void> {
    await this.#active?.running?.setAudio(isOn)
  }
  async setVideo(isOn: boolean): Promise<void> {
    await this.#active?.running?.setVideo(isOn)
  }
  async setScreen(isOn: boolean): Promise<void> {
    await this.#active?.running?.setScreen(isOn)
  }
  /** Raises or lowers the hand of this page. */
  setHand(isRaised: boolean): void {
    this.#active?.running?.setHand(isRaised ? serverNow() : null)
  }
  /** Lowers the hand of a participant: this page's own, or for a manager of the room another one's. */
  lowerHand(participantId: string): void {
    if (participantId === this.#mine?.participantId) this.setHand(false)
    else this.#active?.lowerHand(participantId)
  }
  /** Uses these devices from now on, also in later calls. */
  async setDevices(devices: Devices): Promise<void> {
    keepCallChoices({ devices })
    await this.#active?.running?.useDevices(devices)
  }
  dismissEnded(): void {
    this.#ended = null
    this.#emit()
  }

  async #enter(
    kind: 'start' | 'join',
    roomId: string | null,
    ask: (participantId: string) => Promise<JoinedCall>,
  ) {
    if (!isCallSupported()) throw new HttpProblem(UNSUPPORTED, 400, { code: 'unsupported' })
    if (this.#mine?.roomId === roomId) return this.show(this.#shownView)
    if (this.#isEntering || !(await this.#mayLeaveOther(kind, roomId))) return
    this.#isEntering = true
    try {
      await this.leave()
      this.#begin(await ask(crypto.randomUUID()))
    } finally {
      this.#isEntering = false
    }
  }
  /** Requests a confirmation if this person is in another call. */
  #mayLeaveOther(kind: 'start' | 'join', roomId: string | null): Promise<boolean> {
    const other = this.#mine ?? this.elsewhere()
    if (!other) return Promise.resolve(true)
    this.#wanted?.cancel()
    return new Promise((resolve) => {
      const decide = (isConfirmed: boolean) => {
        this.#wanted = null
        this.#emit()
        resolve(isConfirmed)
      }
      this.#wanted = {
        kind: other.roomId === roomId ? 'move' : kind,
        title: other.title,
        confirm: () => decide(true),
        cancel: () => decide(false),
      }
      this.#emit()
    })
  }
  #begin(joined: JoinedCall) {
    const active = new ActiveCall(joined, {
      changed: () => {
        if (active === this.#active) this.#changed()
      },
      ticked: () => {
        if (active === this.#active) this.#tabs.say()
      },
      ended: (why) => {
        if (active === this.#active) void this.#endedBy(why)
      },
    })
    this.#active = active
    this.#ended = null
    this.#forgetLost()
    this.#stopRinging(joined.call.callId)
    this.#view = this.#shownView = callChoices().view ?? firstView()
    this.#changed()
    this.#tabs.say()
    reloaded.write(placeOf(this.#mine!))
    void active.open()
  }
  async #endedBy(why: CallEnd): Promise<void> {
    if (why === 'over') this.#close('over')
    else await this.#leaveHere(why === 'failed' ? 'failed' : 'left')
  }
  async #leaveHere(why: EndedCall['why']): Promise<void> {
    const active = this.#active
    this.#close(why)
    await active?.tellLeft()
  }
  #close(why: EndedCall['why']) {
    const mine = this.#mine
    if (!mine) return
    this.#active?.close()
    this.#active = null
    this.#ended = { ...placeOf(mine), why }
    reloaded.write(null)
    this.#changed()
    this.#tabs.say()
  }

  /** Going offline leaves the call (foundation §4 "Offline"). */
  #wentOffline() {
    if (!this.#mine) return
    const lost = placeOf(this.#mine)
    const leaving = this.#active
    this.#close('left')
    this.#ended = null
    this.#lost = { ...lost, why: 'offline' }
    window.addEventListener('online', () => void leaving?.tellLeft(), { once: true })
    this.#emit()
  }
  #closing() {
    const active = this.#active
    if (!active) return
    const lost = this.#mine && placeOf(this.#mine)
    void active.tellLeft(true)
    this.#close('left')
    reloaded.write(lost)
  }
  /** Offers to rejoin a lost call that is still going on. */
  async #lookForLost(): Promise<void> {
    const lost = this.#lost
    if (!lost || !navigator.onLine || this.#active) return
    try {
      const { endedAt } = await call(callsApi.one, { params: { id: lost.callId } })
      if (this.#lost !== lost || this.elsewhere()?.callId === lost.callId) return
      if (endedAt === null) this.#offer(lost)
      else this.#forgetLost()
    } catch (error) {
      // The next connection tries again.
      if (error instanceof HttpProblem && error.status >= 400 && error.status < 500) this.#forgetLost()
    }
  }
  #offer(lost: CallElsewhere & Pick<Rejoin, 'why'>) {
    this.#unwatchRejoin()
    let isKnown = false
    const look = () => {
      const isOn = chat.room(lost.roomId)?.callDetails?.callId === lost.callId
      if (isKnown && !isOn) this.#forgetLost()
      isKnown ||= isOn
    }
    this.#unwatchRejoin = chat.watch(`room ${lost.roomId}`, look)
    void chat.loadRoom(lost.roomId).then(look)
    this.#rejoin = {
      title: lost.title,
      why: lost.why,
      join: () => void this.join(lost).catch(() => this.#forgetLost()),
      dismiss: () => this.#forgetLost(),
    }
    this.#emit()
  }
  #forgetLost() {
    this.#withdrawOffer()
    if (!this.#active) reloaded.write(null)
    this.#emit()
  }
  #withdrawOffer() {
    this.#unwatchRejoin()
    this.#unwatchRejoin = () => {}
    this.#lost = null
    this.#rejoin = null
  }

  #hear(frame: CallFrame) {
    if (frame.type === 'call-rings') this.#ringAll(frame.incoming)
    else if (frame.type === 'call-ring') this.#ring(frame.incoming)
    else if (frame.type === 'call-ring-over') this.#stopRinging(frame.callId)
    else if (frame.callId === this.#mine?.callId) this.#active?.hear(frame)
  }
  #ring(incoming: IncomingCall) {
    const { callId, until } = incoming
    if (callId === this.#mine?.callId) return
    const left = Date.parse(until) - serverNow()
    if (left <= 0) return
    clearTimeout(this.#ringTimers.get(callId))
    this.#ringTimers.set(
      callId,
      window.setTimeout(() => this.#stopRinging(callId), left),
    )
    this.#incoming = [incoming, ...this.#incoming.filter((one) => one.callId !== callId)]
    this.#emit()
  }
  #ringAll(ringing: readonly IncomingCall[]) {
    const known = new Set(ringing.map(({ callId }) => callId))
    for (const { callId } of this.#incoming) if (!known.has(callId)) this.#stopRinging(callId)
    for (const one of ringing.toReversed()) this.#ring(one)
  }
  #stopRinging(callId: string) {
    clearTimeout(this.#ringTimers.get(callId))
    this.#ringTimers.delete(callId)
    if (!this.#incoming.some((one) => one.callId === callId)) return
    this.#incoming = this.#incoming.filter((one) => one.callId !== callId)
    this.#emit()
  }
  #connected() {
    if (live.status() !== 'open') return
    void this.#lookForLost()
    live.send({ type: 'call-rings' })
  }

  #changed() {
    const active = this.#active
    if (!active) this.#mine = null
    else {
      const { joined, details, state, running } = active
      const { callId, messageId, meetingId, startedAt, participants } = details
      const { roomId, title, participantId, engine } = joined
      const isAlone = participants.every((one) => one.participantId === participantId)
      // Others may still be heard during an outage of the server.
      const status = isAlone && live.status() === 'down' ? 'disconnected' : state.status
      this.#mine = {
        callId,
        roomId,
        messageId,
        title,
        meetingId,
        participantId,
        startedAt,
        status,
        engineKind: engine.kind,
        view: this.#view,
        state,
        running,
      }
    }
    this.#emit()
  }
  #forget() {
    for (const callId of this.#ringTimers.keys()) this.#stopRinging(callId)
    this.#wanted?.cancel()
    this.#withdrawOffer()
    this.#ended = null
    this.#emit()
  }
  #emit() {
    for (const watcher of this.#watchers) watcher()
  }
}

/** Calls start in the chat, whose composer is in the corner, so a wide window shows the call beside the page. */
const firstView = () => (window.innerWidth >= ROOM_BESIDE ? 'side' : 'docked')

const placeOf = ({ callId, roomId, title }: MyCall): CallElsewhere => ({ callId, roomId, title })

/** The tab's call before a reload. */
const reloaded = {
  read(): CallElsewhere | null {
    try {
      const stored = JSON.parse(tabStorage.read(STORED) ?? 'null') as
        | (CallElsewhere & { uuid: string })
        | null
      return stored?.uuid === getSession().uuid ? stored : null
    } catch {
      return null
    }
  },
  write(lost: CallElsewhere | null): void {
    tabStorage.write(STORED, lost && JSON.stringify({ ...lost, uuid: getSession().uuid }))
  },
}

export const calls = new Calls()
