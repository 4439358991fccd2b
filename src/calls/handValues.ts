import type { Tile } from '#providers/calls/engine.ts'

/** The places of the participants with a raised hand, from 1, in the order in which they raised it. */
export function handsOf(tiles: readonly Tile[]): ReadonlyMap<string, number> {
  const raised = tiles
    .flatMap(({ participant, media: { hand } }) =>
      typeof hand === 'number' ? [{ id: participant.participantId, hand }] : [],
    )
    .toSorted((a, b) => a.hand - b.hand || (a.id < b.id ? -1 : 1))
  return new Map(raised.map(({ id }, at) => [id, at + 1]))
}
