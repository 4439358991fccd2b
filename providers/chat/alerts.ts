import { cut } from '#contract/kit/cut.ts'
import { useSyncExternalStore } from 'react'

import type { Message, Room } from '#contract/chat/schema.ts'

import { people } from '../people.ts'
import { getSession } from '../session.ts'
import { storage } from '../storage.ts'
import { chat } from './chat.ts'
import { lineOf } from './plainText.ts'

/** A person's alerts for mentions and direct messages in this browser, off by default. */
export interface AlertChoice {
  readonly notifications: boolean
  readonly sound: boolean
}
const NONE: AlertChoice = { notifications: false, sound: false }
const keyOf = () => `muster.chat.alerts ${getSession().uuid ?? ''}`

let known: { readonly key: string; readonly choice: AlertChoice } | undefined
const watchers = new Set<() => void>()
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function choice(): AlertChoice {
  const key = keyOf()
  if (known?.key !== key)
    known = { key, choice: (JSON.parse(storage.read(key) ?? 'null') as AlertChoice | null) ?? NONE }
  return known.choice
}
function choose(next: AlertChoice): void {
  known = { key: keyOf(), choice: next }
  storage.write(known.key, JSON.stringify(next))
  for (const watcher of watchers) watcher()
}

/** True for a browser with notifications. */
export const canNotify = (): boolean => 'Notification' in globalThis
/** The choice of alerts and its setters. Switching notifications on asks for the browser's permission. */
export function useAlertChoice() {
  return {
    ...useSyncExternalStore(watch, choice),
    setSound: (sound: boolean) => choose({ ...choice(), sound }),
    /** Returns false when the browser refuses permission. */
    setNotifications: async (isWanted: boolean): Promise<boolean> => {
      const isAllowed = !isWanted || (await Notification.requestPermission()) === 'granted'
      choose({ ...choice(), notifications: isWanted && isAllowed })
      return isAllowed
    },
  }
}

/** Plays two short tones. Browsers stay silent before the first click on the page. */
function ring(): void {
  const audio = new AudioContext()
  const volume = audio.createGain()
  volume.gain.value = 0.08
  volume.connect(audio.destination)
  for (const [at, pitch] of [
    [0, 660],
    [0.14, 880],
  ] as const) {
    const tone = audio.createOscillator()
    tone.frequency.value = pitch
    tone.connect(volume)
    tone.start(audio.currentTime + at)
    tone.stop(audio.currentTime + at + 0.12)
  }
  setTimeout(() => void audio.close(), 1_000)
}

/** True where a message calls for attention. Mentions do in muted rooms as well. */
const isForMe = (room: Room, mentionsMe: boolean): boolean =>
  mentionsMe || (room.kind === 'DIRECT_MESSAGE' && !room.membership.isMuted)
/** True while the room, or the thread that alone shows the message, is in view. */
const isLookedAt = ({ roomId, sequence, thread }: Message): boolean =>
  document.hasFocus() &&
  location.pathname === `/chat/${roomId}` &&
  (sequence > 0 || new URLSearchParams(location.search).get('thread') === thread?.id)

interface Words {
  /** Title of a notification. */
  readonly title: (message: Message, room: Room) => string
  /** Text of a notification for a message without text. */
  readonly file: string
}
/** Alerts to mentions and direct messages. Returns a function that stops. */
export function startAlerts(words: Words, open: (address: string) => void): () => void {
  const alert = (message: Message, room: Room) => {
    const { notifications, sound } = choice()
    if (sound) ring()
    if (!notifications || Notification.permission !== 'granted') return
    const shown = new Notification(words.title(message, room), {
      body: cut(lineOf(message.text, people.current().nameOf), 200) || words.file,
      // Several pages of one browser show the notification once.
      tag: message.id,
    })
    shown.addEventListener('click', () => {
      window.focus()
      open(`/chat/${room.id}?message=${message.id}`)
      shown.close()
    })
  }
  return chat.onArrival(({ message, mentionsMe }) => {
    const { notifications, sound } = choice()
    // Calls ring by themselves.
    if ((!notifications && !sound) || message.isCall || isLookedAt(message)) return
    void Promise.all([mentionsMe, chat.loadRoom(message.roomId)]).then(([isMention]) => {
      const room = chat.room(message.roomId)
      if (room && isForMe(room, isMention)) alert(message, room)
    })
  })
}
