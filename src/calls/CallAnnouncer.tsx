import { useEffect, useRef, useState } from 'react'

import type { MyCall } from '#providers/calls/calls.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

/** Announces connection changes, and people who join and leave, to screen readers. */
export function CallAnnouncer({ mine }: { mine: MyCall }) {
  const text = useText()
  const [said, setSaid] = useState('')
  const known = useRef<ReadonlyMap<string, string> | null>(null)
  const { status, state } = mine
  const people = state.tiles
    .filter(({ isMe }) => !isMe)
    .map(({ participant }) => [participant.participantId, participant.name] as const)
  const hands = state.tiles.filter(({ isMe, media }) => !isMe && typeof media.hand === 'number')
  const raised = hands.map(({ participant }) => participant.participantId).join()
  const raisedBefore = useRef('')
  const ids = people.map(([id]) => id).join()
  useEffect(() => {
    const before = known.current
    const now = new Map(people)
    known.current = status === 'starting' ? null : now
    if (!before) return
    const news = [
      ...people.filter(([id]) => !before.has(id)).map(([, name]) => text('callWindow.joined', { name })),
      ...[...before].filter(([id]) => !now.has(id)).map(([, name]) => text('callWindow.left', { name })),
    ]
    if (news.length > 0) setSaid(news.join(' '))
    // `ids` identifies the participants.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ids, status])
  useEffect(() => {
    const before = raisedBefore.current.split(',')
    raisedBefore.current = raised
    const news = hands.filter(({ participant }) => !before.includes(participant.participantId))
    if (news.length > 0)
      setSaid(news.map(({ participant: { name } }) => text('callWindow.handRaised', { name })).join(' '))
    // `raised` identifies the hands.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [raised])
  return (
    <>
      <span role="status" style={visuallyHidden}>
        {text(`callWindow.status.${status}`)}
      </span>
      <span role="status" style={visuallyHidden}>
        {said}
      </span>
    </>
  )
}
